import { mkdir, readFile, rmdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** A cgroup that limits the memory of the processes in it. */
export interface MemoryCgroup extends AsyncDisposable {
	/** A shell command that moves its shell into the cgroup, before it starts the program. */
	readonly joinCommand: string;
	/** Processes that the kernel killed in it for lack of memory. */
	oomKills(): Promise<number>;
}

const REMOVE_RETRIES = 50;
const REMOVE_RETRY_MS = 100;

/** Creates a cgroup below the one of this process, which needs root. Supports both versions. */
export async function createMemoryCgroup(name: string, bytesMax: number): Promise<MemoryCgroup> {
	const { parent, limitFile, killsFile } = await findParent();
	const folder = join(parent, name);
	await mkdir(folder);
	await writeFile(join(folder, limitFile), String(bytesMax)).catch(async (cause: unknown) => {
		await rmdir(folder);
		throw new Error(`cannot limit the memory of ${folder}. Run as root, in a cgroup with the memory controller.`, {
			cause,
		});
	});
	return {
		joinCommand: `echo $$ > '${join(folder, "cgroup.procs")}'`,
		async oomKills() {
			const counts = await readFile(join(folder, killsFile), "utf8");
			return Number(/^oom_kill (\d+)$/m.exec(counts)?.[1] ?? Number.NaN);
		},
		async [Symbol.asyncDispose]() {
			// A process leaves its cgroup a moment after its parent has seen its exit.
			for (let retry = 0; retry < REMOVE_RETRIES; retry++) {
				const error: unknown = await rmdir(folder).catch((reason: unknown) => reason);
				if (error === undefined) return;
				await sleep(REMOVE_RETRY_MS);
			}
			await rmdir(folder);
		},
	};
}

async function findParent() {
	const lines = (await readFile("/proc/self/cgroup", "utf8")).split("\n");
	const ownPathV1 = lines.map((line) => /^\d+:memory:(.*)$/.exec(line)?.[1]).find((path) => path !== undefined);
	if (ownPathV1 !== undefined)
		return {
			parent: join("/sys/fs/cgroup/memory", ownPathV1),
			limitFile: "memory.limit_in_bytes",
			killsFile: "memory.oom_control",
		};
	const ownPath = lines.map((line) => /^0::(.*)$/.exec(line)?.[1]).find((path) => path !== undefined) ?? "/";
	return { parent: join("/sys/fs/cgroup", ownPath), limitFile: "memory.max", killsFile: "memory.events" };
}
