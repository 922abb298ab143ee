import pytest

import auth
from auth import AuthError, validate
from auth.middleware import guarded

GOOD = "ada|20|admin@k1"


def test_a_good_token_gives_claims(keys):
    claims = validate(GOOD, keys, now=lambda: 10.0)
    assert claims.has_role("admin")
    assert claims.label == "local:ada"


@pytest.mark.parametrize("token", ["", "ada|5@k1"])
def test_bad_tokens_are_refused(token, keys):
    with pytest.raises(AuthError) as refused:
        auth.validate(token, keys, now=lambda: 10.0)
    assert refused.value.status() >= 401


class TestAuthenticator:
    def test_login_saves_a_session(self, authenticator):
        session = authenticator.login(GOOD)
        assert authenticator.store.load(session.id).subject == "ada"

    def test_guards_answer(self, authenticator):
        @guarded(authenticator)
        def handler(request, session):
            return 200, session.subject

        assert handler({"token": GOOD}) == (200, "ada")
        assert handler({"token": ""})[0] == 401
