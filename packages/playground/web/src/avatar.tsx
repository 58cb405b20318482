/** An avatar drawn from a user's name and id. */
import type { APIUser } from "discord-api-types/v10";
import { hueOf, initials } from "./display-names.ts";

const WEBHOOK_DISCRIMINATOR = "0000";

export function Avatar({ user, name, presence }: { user: AvatarUser; name: string; presence?: "online" | "offline" }) {
	// A webhook is marked as a bot as well, but has the discriminator that no account has.
	const isBot = user.bot === true && user.discriminator !== WEBHOOK_DISCRIMINATOR;
	return (
		<span class={`avatar ${isBot ? "bot" : ""}`} aria-hidden="true" style={{ "--hue": String(hueOf(user.id)) }}>
			{!isBot && initials(name)}
			{presence && <span class={`presence ${presence}`} />}
		</span>
	);
}

type AvatarUser = Pick<APIUser, "id" | "bot" | "discriminator">;
