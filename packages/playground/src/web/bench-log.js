/**
 * What the bot asked of the API, newest first, each with what Discord's schema says of it.
 *
 * @import { RequestsSeen } from "../admin/admin-contract.ts"
 * @import { RequestRecord } from "../rest/request-record.ts"
 */
import { h } from "./dom.js";

const SHOWN_MAX = 200;
const VERDICTS = /** @type {const} */ ({ valid: "valid", invalid: "not valid", unchecked: "not checked" });

export function createBenchLog() {
	const counts = h("p.bench-counts");
	const list = h("ol.bench-log", { "aria-label": "Requests of the bot, newest first", tabindex: "0" });
	let lastId = 0;

	return {
		element: h(
			"section.bench-section",
			{ "aria-label": "Requests" },
			h("h3", null, "What the bot asked"),
			counts,
			list,
		),
		lastId: () => lastId,
		/** @param {RequestsSeen} seen */
		update({ requests, counts: { valid, invalid, unchecked } }) {
			const words = `${valid} valid, ${invalid} not valid, ${unchecked} not checked`;
			if (counts.textContent !== words) counts.textContent = words;
			counts.classList.toggle("bad", invalid > 0);
			for (const request of requests) {
				lastId = Math.max(lastId, request.id);
				list.prepend(rowOf(request));
			}
			while (list.childElementCount > SHOWN_MAX) list.lastElementChild?.remove();
		},
	};
}

/** @param {RequestRecord} request */
function rowOf({ method, path, status, verdict, faults, isPlanted, atMs }) {
	return h(
		"li",
		{ "data-verdict": verdict },
		h("span.bench-status", { "data-bad": status === 0 || status >= 400 }, status === 0 ? "cut" : String(status)),
		h("b", null, method),
		" ",
		h("span.bench-path", { title: path }, pathView(path)),
		h(
			"span.bench-verdict",
			null,
			`${VERDICTS[verdict]}${isPlanted ? ", planted" : ""} · ${new Date(atMs).toLocaleTimeString()}`,
		),
		faults.map((fault) => h("span.bench-fault", null, fault)),
	);
}

/** Readable, and broken where a path can be. @param {string} path */
function pathView(path) {
	return path
		.replace("%40original", "@original")
		.split(/(?<=[/?&])/)
		.flatMap((part) => [part, h("wbr")]);
}
