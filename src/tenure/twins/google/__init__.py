"""What Google's twins share: credentials, errors, discovery documents, paging, batch, uploads."""

from tenure.twins.google.api import Api, Operation, Request
from tenure.twins.google.document import Document
from tenure.twins.google.errors import GoogleError
from tenure.twins.google.oauth import IDENTITY_SURFACES, resource_surface
from tenure.twins.google.paging import page_token, place_of
from tenure.twins.google.tokens import AUDIENCE, SCOPES, google_tokens, headers_of, mcp_sign_in
from tenure.twins.google.upload import Upload

__all__ = [
    "AUDIENCE",
    "IDENTITY_SURFACES",
    "SCOPES",
    "Api",
    "Document",
    "GoogleError",
    "Operation",
    "Request",
    "Upload",
    "google_tokens",
    "headers_of",
    "mcp_sign_in",
    "page_token",
    "place_of",
    "resource_surface",
]
