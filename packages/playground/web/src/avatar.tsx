/** An avatar drawn from a user's name and id: the page fetches no image for it. */
import type { APIUser } from "discord-api-types/v10";
import { hueOf, initials } from "./display-names.ts";

export function Avatar({ user, name, presence }: { user: AvatarUser; name: string; presence?: "online" | "offline" }) {
	return (
		<span class={`avatar ${user.bot ? "bot" : ""}`} aria-hidden="true" style={{ "--hue": String(hueOf(user.id)) }}>
			{!user.bot && initials(name)}
			{presence && <span class={`presence ${presence}`} />}
		</span>
	);
}

type AvatarUser = Pick<APIUser, "id" | "bot">;
