export const TOKEN_REJECTED = "Discord rejects DISCORD_TOKEN. Copy it again from the developer portal, under Bot.";
