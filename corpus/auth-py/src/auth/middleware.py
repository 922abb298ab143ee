import functools

import auth.login as login
from auth.errors import AuthError


def guarded(authenticator: login.Authenticator):
    def wrap(handler):
        @functools.wraps(handler)
        def guarded_handler(request):
            try:
                session = authenticator.login(request["token"])
            except AuthError as error:
                return error.status(), error.reason
            return handler(request, session)

        return guarded_handler

    return wrap
