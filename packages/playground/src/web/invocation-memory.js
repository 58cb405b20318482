/**
 * What this tab has sent, kept over a reload, so that the answers still say what they answer.
 *
 * @import { Invocation } from "./state.js"
 */
import { settledOf } from "./state.js";

const KEY = "playground:invocations";

/** @param {readonly Invocation[]} invocations */
export function keepInvocations(invocations) {
	try {
		sessionStorage.setItem(KEY, JSON.stringify(settledOf(invocations)));
	} catch {
		// Storage may be full or forbidden. Only the line above old answers is poorer for it.
	}
}

/** @returns {readonly Invocation[]} */
export function recallInvocations() {
	try {
		const kept = JSON.parse(sessionStorage.getItem(KEY) ?? "[]");
		return Array.isArray(kept) ? kept : [];
	} catch {
		return [];
	}
}
