import { readFile, writeFile } from "node:fs/promises";

const SAMPLE_EVERY_MS = 50;

/** Returns the resident memory of a process (VmRSS) or its peak (VmHWM), as Linux records them. Rejects if the process has ended. */
export async function memoryOf(pid: number, field: "VmRSS" | "VmHWM"): Promise<number> {
	const status = await readFile(`/proc/${pid}/status`, "utf8");
	return Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(status)?.[1] ?? 0) * 1024;
}

/** Lets the recorded peak of a process begin again at its present memory. */
export async function resetPeakMemory(pid: number): Promise<void> {
	await writeFile(`/proc/${pid}/clear_refs`, "5");
}

/** The peak resident memory of a process and of its child processes. */
export interface PeakMemory {
	readonly ownBytes: number;
	/** One for each child, in order of their start. */
	readonly childrenBytes: readonly number[];
}

/** Records the peaks of a process and its children until the returned function is called. A child is sampled until it ends. */
export function watchPeakMemory(pid: number): () => PeakMemory {
	let ownBytes = 0;
	const children = new Map<number, number>();
	const sample = async (): Promise<void> => {
		ownBytes = Math.max(ownBytes, await peakOf(pid));
		const childIds = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8").catch(() => "");
		for (const [digits] of childIds.matchAll(/\d+/g)) {
			const child = Number(digits);
			children.set(child, Math.max(children.get(child) ?? 0, await peakOf(child)));
		}
	};
	const timer = setInterval(() => void sample(), SAMPLE_EVERY_MS);
	return () => {
		clearInterval(timer);
		return { ownBytes, childrenBytes: [...children.values()] };
	};
}

/** Resolves to 0 if the process has ended meanwhile. */
async function peakOf(pid: number): Promise<number> {
	return await memoryOf(pid, "VmHWM").catch(() => 0);
}
