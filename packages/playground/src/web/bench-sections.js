/**
 * The switches, by what they touch. Each section is built once, so that focus stays where it is, and told of every change.
 *
 * @import { ControlsState } from "../admin/admin-contract.ts"
 * @import { PageState } from "../page-contract.ts"
 */
import { action, amount, choice, line, section, tick } from "./bench-parts.js";
import { h } from "./dom.js";
import { memberName } from "./names.js";

/** @typedef {(method: string, path: string, body?: object) => void} Change */
/** @typedef {{ readonly element: HTMLElement, readonly update?: (state: ControlsState) => void }} Section */

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Those that Discord speaks and this bot is likely to. */
const LANGUAGES = ["en-US", "de", "fr", "es-ES", "pt-BR", "ja", "ko", "zh-CN"];
const PERMISSIONS = [
	{ name: "Administrator", bit: 1n << 3n },
	{ name: "Manage server", bit: 1n << 5n },
	{ name: "Manage messages", bit: 1n << 13n },
];
const FAULTS = [
	{ value: "late", name: "is answered late" },
	{ value: "429", name: "429, too many requests" },
	{ value: "500", name: "500, Discord is broken" },
	{ value: "503", name: "503, Discord is away" },
	{ value: "413", name: "413, too large" },
	{ value: "403", name: "403, no access" },
	{ value: "hangUp", name: "the line is cut" },
	{ value: "lost", name: "is done, and its answer lost" },
];

/**
 * @param {Change} change
 * @returns {Section}
 */
export function clockSection(change) {
	const now = h("output.bench-now");
	const forward = /** @param {number} advanceMs */ (advanceMs) => () => change("POST", "/clock", { advanceMs });
	return {
		element: section(
			"Clock",
			now,
			line(
				action("+3 s", forward(3 * SECOND_MS)),
				action("+15 min", forward(15 * MINUTE_MS)),
				action("+1 day", forward(DAY_MS)),
			),
		),
		update({ nowMs }) {
			const aheadMs = nowMs - Date.now();
			const ahead = aheadMs > SECOND_MS ? `, ${Math.round(aheadMs / SECOND_MS).toLocaleString()} s ahead` : "";
			now.textContent = `${new Date(nowMs).toLocaleTimeString()}${ahead}`;
		},
	};
}

/**
 * @param {Change} change
 * @returns {Section}
 */
export function gatewaySection(change) {
	const planted = h("p.bench-note");
	const act = /** @param {object} body */ (body) => () => change("POST", "/gateway", body);
	const event = /** @param {string} what */ (what) => () =>
		change("POST", "/events", { act: what, event: "INTERACTION_CREATE", times: 1 });
	return {
		element: section(
			"Gateway",
			line(
				action("Close", act({ act: "close" })),
				action("Ask to reconnect", act({ act: "reconnect" })),
				action("End the session", act({ act: "invalidate" })),
				action("Fall silent", act({ act: "silence" })),
			),
			line(action("Lose the next interaction", event("drop")), action("Send it twice", event("repeat"))),
			planted,
		),
		update({ events }) {
			planted.textContent = events
				.map(
					({ act: what, event: name = "Every event", times }) =>
						`${name} ${what === "drop" ? "is lost" : "comes twice"}${times === undefined ? "" : `, ${times} times`}`,
				)
				.join(" · ");
		},
	};
}

/**
 * @param {Change} change
 * @param {readonly string[]} routes
 * @returns {Section}
 */
export function requestsSection(change, routes) {
	const route = choice("Request", [{ value: "", name: "any" }, ...routes.map((name) => ({ value: name, name }))]);
	const kind = choice("goes wrong", FAULTS);
	const times = amount("Times", 1, 1_000, 1);
	const seconds = amount("Seconds", 0, 3_600, 2);
	const planted = h("ul.bench-list", { "aria-label": "What goes wrong" });
	const plant = () =>
		change("POST", "/faults", {
			...(route.value() !== "" && { route: route.value() }),
			times: times.value(),
			...faultOf(kind.value(), seconds.value()),
		});
	return {
		element: section(
			"Requests of the bot",
			route.element,
			line(kind.element, times.element, seconds.element),
			line(
				action("Let it happen", plant),
				action("Never mind", () => change("DELETE", "/faults")),
			),
			planted,
		),
		update({ faults }) {
			planted.replaceChildren(
				...faults.map(({ route: met = "any request", times: left, answer, delayMs }) =>
					h(
						"li",
						null,
						`${met}: ${answer?.kind ?? `${(delayMs ?? 0) / SECOND_MS} s late`}${left ? `, ${left} ×` : ""}`,
					),
				),
			);
		},
	};
}

/**
 * @param {string} kind
 * @param {number} seconds
 */
function faultOf(kind, seconds) {
	switch (kind) {
		case "late":
			return { delayMs: seconds * SECOND_MS };
		case "429":
			return { answer: { kind: "rateLimit", retryAfterS: seconds } };
		case "hangUp":
			return { answer: { kind: "hangUp" } };
		case "lost":
			return { acts: true, answer: { kind: "hangUp" } };
		case "413":
			return { answer: { kind: "error", status: 413, code: 40_005 } };
		case "403":
			return { answer: { kind: "error", status: 403, code: 50_001 } };
		default:
			return { answer: { kind: "error", status: Number(kind), code: 0 } };
	}
}

/**
 * @param {Change} change
 * @param {PageState} page
 * @returns {Section}
 */
export function serverSection(change, page) {
	const rooms = page.channels.filter(({ isDirect }) => isDirect !== true);
	const accesses = rooms.map(({ id, name }) => ({
		id,
		field: choice(
			`Bot in #${name}`,
			[
				{ value: "all", name: "may do everything" },
				{ value: "noFiles", name: "may not attach files" },
				{ value: "readOnly", name: "may not post" },
				{ value: "none", name: "does not see it" },
			],
			(access) => change("PUT", "/access", { channelId: id, access }),
		),
	}));
	const boost = choice(
		"Boosts",
		["none, 10 MB a file", "level 1, 10 MB", "level 2, 50 MB", "level 3, 100 MB"].map((name, level) => ({
			value: String(level),
			name,
		})),
		(level) => change("PUT", "/server", { boostLevel: Number(level) }),
	);
	const language = choice("Language of the server", languages(), (locale) => change("PUT", "/server", { locale }));
	const isMember = tick("The bot itself is in the server", (isOn) => change("PUT", "/membership", { isMember: isOn }));
	const count = amount("Servers in all", page.servers.length, 100_000, page.servers.length + page.serversUnshown);
	return {
		element: section(
			page.guild.name,
			boost.element,
			language.element,
			accesses.map(({ field }) => field.element),
			isMember.element,
			line(
				count.element,
				action("Have so many", () => change("PUT", "/servers", { count: count.value() })),
			),
		),
		update(state) {
			boost.set(String(state.server.boostLevel));
			language.set(state.server.locale);
			isMember.set(state.isBotMember);
			for (const { id, field } of accesses)
				field.set(state.access.find(({ channelId }) => channelId === id)?.access ?? "all");
		},
	};
}

/**
 * @param {Change} change
 * @param {PageState} page
 * @returns {Section}
 */
export function personSection(change, page) {
	const userId = page.me.user.id;
	const language = choice("Language", languages(), (locale) => change("PUT", "/members", { userId, locale }));
	const roles = page.roles.map(({ id, name }) => ({ id, field: tick(name, setRoles) }));
	const permissions = PERMISSIONS.map(({ name, bit }) => ({ bit, field: tick(name, setPermissions) }));
	const isOpen = tick("Takes direct messages", (isOn) => change("PUT", "/direct", { userId, isOpen: isOn }));
	let bits = 0n;

	function setRoles() {
		change("PUT", "/members", { userId, roleIds: roles.filter(({ field }) => field.isOn()).map(({ id }) => id) });
	}
	function setPermissions() {
		const kept = PERMISSIONS.reduce((rest, { bit }) => rest & ~bit, bits);
		const set = permissions.filter(({ field }) => field.isOn()).reduce((all, { bit }) => all | bit, kept);
		change("PUT", "/members", { userId, permissions: set.toString() });
	}

	return {
		element: section(
			memberName(page.me),
			language.element,
			h(
				"fieldset.bench-ticks",
				null,
				h("legend", null, "Roles"),
				roles.map(({ field }) => field.element),
			),
			h(
				"fieldset.bench-ticks",
				null,
				h("legend", null, "May"),
				permissions.map(({ field }) => field.element),
			),
			isOpen.element,
			line(
				action("As at first", () =>
					change("PUT", "/members", { userId, locale: null, permissions: null, roleIds: null }),
				),
			),
		),
		update({ members, closedDirectUserIds }) {
			const me = members.find(({ user }) => user.id === userId);
			if (!me) return;
			bits = BigInt(me.permissions);
			language.set(me.locale);
			for (const { id, field } of roles) field.set(me.roleIds.includes(id));
			for (const { bit, field } of permissions) field.set((bits & bit) !== 0n);
			isOpen.set(!closedDirectUserIds.includes(userId));
		},
	};
}

/**
 * @param {Change} change
 * @param {PageState} page
 * @returns {Section}
 */
export function shopSection(change, page) {
	const userId = page.me.user.id;
	const items = h("div.bench-line");
	const bought = h("ul.bench-list", { "aria-label": "Bought" });
	let shown = "";
	return {
		element: section("Shop", items, bought),
		update({ items: sold, entitlements }) {
			const signature = JSON.stringify([sold, entitlements]);
			if (signature === shown) return;
			shown = signature;
			items.replaceChildren(
				...sold.map(({ id, name }) => action(`Buy ${name}`, () => change("POST", "/purchases", { userId, skuId: id }))),
			);
			bought.replaceChildren(
				...entitlements.toReversed().map(({ id, sku_id: skuId, consumed, deleted }) => {
					const name = sold.find((item) => item.id === skuId)?.name ?? "An item";
					const state = deleted ? "taken back" : consumed ? "consumed" : "not consumed yet";
					const refund = !deleted && action("Refund", () => change("DELETE", `/purchases/${id}`));
					return h("li", null, `${name}, ${state} `, refund);
				}),
			);
		},
	};
}

function languages() {
	const names = new Intl.DisplayNames(undefined, { type: "language" });
	return LANGUAGES.map((value) => ({ value, name: names.of(value) ?? value }));
}
