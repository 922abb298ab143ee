//! Lets requests with a valid token through.

use super::{login::TokenError, validate_token, Claims, KeySet};

/// The part of a request the guard looks at.
pub struct Request {
    pub path: String,
    pub authorization: Option<String>,
}

/// Something that answers a request.
pub trait Handler {
    fn handle(&self, request: &Request, claims: &Claims) -> u16;

    /// What the access log calls the handler.
    fn name(&self) -> String {
        String::from("handler")
    }
}

/// Answers 200 to everything.
pub struct Always;

impl Handler for Always {
    fn handle(&self, _request: &Request, _claims: &Claims) -> u16 {
        200
    }
}

/// Answers only people; machines get 403.
pub struct HumansOnly<H>(pub H);

impl<H: Handler> Handler for HumansOnly<H> {
    fn handle(&self, request: &Request, claims: &Claims) -> u16 {
        if claims.is_human() {
            self.0.handle(request, claims)
        } else {
            403
        }
    }

    fn name(&self) -> String {
        format!("humans only: {}", self.0.name())
    }
}

/// Refuses requests that carry no valid token.
pub struct Guard {
    keys: KeySet,
}

impl Guard {
    pub fn new(keys: KeySet) -> Self {
        Guard { keys }
    }

    /// Asks the handler when the token is valid.
    pub fn wrap(&self, handler: &impl Handler, request: &Request) -> u16 {
        match validate_token(bearer(request), &self.keys) {
            Ok(claims) => {
                println!("{} {} by {claims}", handler.name(), request.path);
                handler.handle(request, &claims)
            }
            Err(error) => Self::refuse(request, &error),
        }
    }

    fn refuse(request: &Request, error: &TokenError) -> u16 {
        println!("refused {}: {error} ({})", request.path, status_of(error));
        status_of(error)
    }
}

/// Maps a refusal to an HTTP status.
fn status_of(error: &TokenError) -> u16 {
    match error {
        TokenError::Expired => 403,
        TokenError::Empty | TokenError::BadSignature => 401,
        TokenError::Malformed(_) | TokenError::UnknownKey(_) => 500,
    }
}

fn bearer(request: &Request) -> &str {
    let header = request.authorization.as_deref().unwrap_or_default();
    header.strip_prefix("Bearer ").unwrap_or(header)
}
