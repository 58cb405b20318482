export const TOKEN_REFUSED = "Discord refuses DISCORD_TOKEN. Copy it again from the developer portal, under Bot.";
