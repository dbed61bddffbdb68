//! The description of the interface, made from the handlers.

use utoipa::openapi::security::{
    ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityRequirement, SecurityScheme,
};
use utoipa::openapi::{ComponentsBuilder, InfoBuilder, LicenseBuilder, OpenApi, OpenApiBuilder};

use crate::routes::description;

const NOTHING: [&str; 0] = [];

/// What is said of the whole.
pub(crate) fn about() -> OpenApi {
    let token = HttpBuilder::new()
        .scheme(HttpAuthScheme::Bearer)
        .description(Some("A token of `verst token add`, or the first one of `/api/v1/setup`."));
    let session = ApiKeyValue::with_description(
        "verst",
        "The cookie of `POST /api/v1/sessions`; `__Host-verst` behind https. What changes anything \
         needs the header `X-CSRF-Token` besides.",
    );
    let components = ComponentsBuilder::new()
        .security_scheme("token", SecurityScheme::Http(token.build()))
        .security_scheme("session", SecurityScheme::ApiKey(ApiKey::Cookie(session)))
        .build();
    let info = InfoBuilder::new()
        .title("Verst")
        .description(Some(
            "Recordings to text on your own machine. What is not done is told as RFC 9457 has it, \
             in the language of Accept-Language: English or Russian.",
        ))
        .version("1")
        .license(Some(LicenseBuilder::new().name("MIT OR Apache-2.0").build()))
        .build();
    OpenApiBuilder::new()
        .info(info)
        .components(Some(components))
        .security(Some(["token", "session"].map(|name| SecurityRequirement::new(name, NOTHING))))
        .build()
}

/// The description as it is committed: JSON that a person can read and compare.
pub fn openapi() -> String {
    description().to_pretty_json().unwrap_or_default() + "\n"
}
