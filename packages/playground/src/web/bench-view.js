/**
 * The workbench: what cannot be done on Discord itself, and what the bot asked of it. It looks for news while it is open,
 * and does nothing at all while it is not.
 *
 * @import { PageState } from "../page-contract.ts"
 * @import { Section } from "./bench-sections.js"
 */
import { changeControls, readControls, readRequests, readRoutes } from "./bench-api.js";
import { createBenchLog } from "./bench-log.js";
import { action, line } from "./bench-parts.js";
import {
	clockSection,
	gatewaySection,
	personSection,
	requestsSection,
	serverSection,
	shopSection,
} from "./bench-sections.js";
import { h } from "./dom.js";

const LOOK_MS = 1_000;

/**
 * @param {{ element: HTMLElement, complain: (words: string) => void, close: () => void }} deps
 */
export function createBench({ element, complain, close }) {
	const log = createBenchLog();
	const body = h("div.bench-body", { tabindex: "-1" });
	element.append(
		h("header.bench-head", null, h("h2", null, "Workbench"), action("Close", close)),
		h("p.bench-note", null, "What cannot be done on Discord itself. The bot is not told."),
		body,
	);
	/** @type {Section[]} */
	let sections = [];
	/** @type {readonly string[]} */
	let routes = [];
	let builtFor = "";
	let serverId = "";
	let timer = 0;
	let isOpen = false;

	/** @param {string} method @param {string} path @param {object} [asked] */
	function change(method, path, asked) {
		void (async () => {
			try {
				show(await changeControls(serverId, method, path, asked));
			} catch (error) {
				complain(error instanceof Error ? error.message : String(error));
				await look();
			}
		})();
	}

	/** @param {Awaited<ReturnType<typeof readControls>>} state */
	function show(state) {
		// An answer about the server that was open before says nothing of this one.
		if (state.guild.id !== serverId) return;
		for (const { update } of sections) update?.(state);
	}

	async function look() {
		if (routes.length === 0) ({ routes } = await readRoutes());
		show(await readControls(serverId));
		log.update(await readRequests(log.lastId()));
	}

	function tick() {
		clearTimeout(timer);
		if (!isOpen) return;
		// A playground that is away is said elsewhere on the page.
		look()
			.catch(() => {})
			.finally(() => {
				timer = setTimeout(tick, LOOK_MS);
			});
	}

	/** @param {PageState} page */
	function build(page) {
		const signature = JSON.stringify([page.me.user.id, page.guild, page.channels, page.roles, routes.length]);
		if (signature === builtFor) return;
		builtFor = signature;
		sections = [
			clockSection(change),
			gatewaySection(change),
			requestsSection(change, routes),
			serverSection(change, page),
			personSection(change, page),
			shopSection(change, page),
		];
		body.replaceChildren(
			log.element,
			...sections.map((each) => each.element),
			line(action("Everything as at first", () => change("DELETE", ""))),
		);
	}

	return {
		/** @param {PageState} page @param {boolean} isShown */
		update(page, isShown) {
			if (!isShown) {
				isOpen = false;
				return;
			}
			serverId = page.guild.id;
			build(page);
			if (isOpen) return;
			isOpen = true;
			// The routes come with the first look; what names them is built then.
			look()
				.then(() => {
					build(page);
					return look();
				})
				.catch(() => {})
				.finally(tick);
		},
	};
}
