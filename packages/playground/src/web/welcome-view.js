/**
 * The beginning of a channel, and the first thing a newcomer sees: what can be done here, one press away.
 *
 * @import { PageChannel, PageState } from "../page-contract.ts"
 * @import { TypedOption } from "./composer-parser.js"
 */
import { h, icon } from "./dom.js";
import { ICONS } from "./icons.js";
import { userName } from "./names.js";
import { hasBotHere } from "./sidebar-view.js";

const EXAMPLES = /** @type {const} */ ([
	{ command: "image", art: "art-image", prompt: "a lighthouse in a storm", what: "A picture" },
	{ command: "video", art: "art-video", prompt: "slow waves under a full moon", what: "A short film" },
	{ command: "music", art: "art-music", prompt: "a gentle waltz for a rainy morning", what: "A song" },
]);

/**
 * @param {PageState} page
 * @param {PageChannel} channel
 * @param {boolean} empty
 * @param {(command: string, options: readonly TypedOption[]) => void} onExample
 */
export function startView(page, channel, empty, onExample) {
	const known = new Set(page.commands.map(({ name }) => name));
	const examples = EXAMPLES.filter(({ command }) => known.has(command));
	const bot = userName(page.bot.user);
	const place = channel.isDirect === true ? `@${channel.name}` : `#${channel.name}`;
	return h(
		"header",
		{ class: empty ? "welcome" : "welcome brief" },
		empty ? h("span.welcome-mark", null, icon(channel.isDirect === true ? ICONS.at : ICONS.hash)) : null,
		h("h2", null, empty ? `Welcome to ${place}` : `This is the start of ${place}`),
		h("p.welcome-topic", null, channel.topic || `Ask ${bot} for a picture, a film or a song with a slash command.`),
		empty &&
			examples.length > 0 &&
			h("p.welcome-lead", null, "Pick one to begin. It is filled in below, ready to send."),
		empty &&
			h(
				"ul.examples",
				{ "aria-label": "Examples" },
				examples.map(({ command, art, prompt, what }) =>
					h(
						"li",
						null,
						h(
							"button.example",
							{ type: "button", onclick: () => onExample(command, [{ name: "prompt", text: prompt }]) },
							h("span", { class: `art ${art}`, "aria-hidden": "true" }, h("i"), h("i"), h("i"), h("i"), h("i")),
							h("span.example-what", null, what),
							h("span.example-text", null, h("b", null, `/${command}`), ` ${prompt}`),
						),
					),
				),
			),
		empty &&
			examples.length > 0 &&
			h(
				"p.welcome-lead",
				null,
				"Without an engine of yours, the built-in sketch draws and plays by fixed rules: it is not AI. docs/engines.md says how to connect a real one.",
			),
		empty &&
			examples.length === 0 &&
			h(
				"p.welcome-lead",
				null,
				hasBotHere(page)
					? `${bot} has not registered its commands yet. They appear here as soon as it is ready.`
					: `${bot} is not in this server. Whoever may manage it can add it again, in the list of members.`,
			),
	);
}
