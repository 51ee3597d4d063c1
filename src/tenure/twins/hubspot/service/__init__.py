"""What HubSpot does: the only modules with behaviour, each function taking an act first."""
