/** Keeps the commands that this tab sent over a reload, so that replies still show what they answer. */
import { type Invocation, settledOf } from "./state.ts";

const KEY = "playground:invocations";

export function keepInvocations(invocations: readonly Invocation[]): void {
	try {
		sessionStorage.setItem(KEY, JSON.stringify(settledOf(invocations)));
	} catch {
		// Storage may be full or forbidden: only the line above old replies is lost.
	}
}

export function recallInvocations(): readonly Invocation[] {
	try {
		const kept: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? "[]");
		return Array.isArray(kept) ? kept : [];
	} catch {
		return [];
	}
}
