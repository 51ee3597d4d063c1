"""HubSpot: contacts, companies, deals and what hangs on them."""
