import { readFile } from "node:fs/promises";

const SAMPLE_EVERY_MS = 50;

/** The peak resident memory of a process and of its child processes, as Linux records it (VmHWM). */
export interface PeakMemory {
	readonly ownBytes: number;
	/** One for each child, in order of their start. */
	readonly childrenBytes: readonly number[];
}

/** Records peaks until the returned function is called. A child is sampled until it ends. */
export function watchPeakMemory(pid: number): () => PeakMemory {
	let ownBytes = 0;
	const children = new Map<number, number>();
	const sample = async (): Promise<void> => {
		ownBytes = Math.max(ownBytes, await peakOf(pid));
		const ids = (await readFile(`/proc/${pid}/task/${pid}/children`, "utf8").catch(() => "")).trim();
		for (const child of ids === "" ? [] : ids.split(" ").map(Number))
			children.set(child, Math.max(children.get(child) ?? 0, await peakOf(child)));
	};
	const timer = setInterval(() => void sample(), SAMPLE_EVERY_MS);
	return () => {
		clearInterval(timer);
		return { ownBytes, childrenBytes: [...children.values()] };
	};
}

async function peakOf(pid: number): Promise<number> {
	const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
	return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * 1024;
}
