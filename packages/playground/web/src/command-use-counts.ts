/** Counts the uses of each command in this browser. The most used ones come first in the list of commands. */
import { signal } from "@preact/signals";
import type { Command } from "./command-text.ts";

const KEY = "playground:command-use";

export function createCommandUseCounts() {
	const counts = signal(readCounts());
	return {
		count(path: string): void {
			counts.value = new Map([...counts.value, [path, (counts.value.get(path) ?? 0) + 1]]);
			try {
				localStorage.setItem(KEY, JSON.stringify([...counts.value]));
			} catch {
				// Storage may be full or forbidden: the order lasts as long as the page.
			}
		},
		sorted: (commands: readonly Command[]): Command[] => mostUsedFirst(commands, counts.value),
	};
}

/** Commands used equally often keep their order. */
export function mostUsedFirst(commands: readonly Command[], counts: ReadonlyMap<string, number>): Command[] {
	return commands.toSorted((one, other) => (counts.get(other.path) ?? 0) - (counts.get(one.path) ?? 0));
}

function readCounts(): ReadonlyMap<string, number> {
	try {
		const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
		return new Map(Array.isArray(stored) ? stored.filter(isCount) : []);
	} catch {
		return new Map();
	}
}

function isCount(entry: unknown): entry is [string, number] {
	return Array.isArray(entry) && typeof entry[0] === "string" && typeof entry[1] === "number";
}
