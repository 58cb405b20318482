/**
 * A face for everybody, drawn from their name and id: no picture has to be fetched from anywhere.
 *
 * @import { APIUser } from "discord-api-types/v10"
 */
import { h } from "./dom.js";
import { hueOf, initials } from "./names.js";

/**
 * @param {Pick<APIUser, "id" | "bot">} user
 * @param {string} name
 * @param {{ presence?: "online" | "offline" }} [options]
 */
export function avatarView(user, name, { presence } = {}) {
	const face = h(
		"span.avatar",
		{ "aria-hidden": "true", style: { "--hue": String(hueOf(user.id)) } },
		user.bot === true ? h("span.avatar-mark", null) : initials(name),
	);
	if (user.bot === true) face.classList.add("bot");
	if (presence) face.append(h("span.presence", { class: `presence ${presence}` }));
	return face;
}
