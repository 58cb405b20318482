import { readFile } from "node:fs/promises";
import { freemem } from "node:os";
import { dirname, join } from "node:path";

interface Sources {
	/** Mount point of procfs. */
	readonly proc: string;
	/** Mount point of the cgroups. */
	readonly cgroups: string;
	/** Free memory of the whole machine, in bytes. */
	readonly machineFreeBytes: () => number;
}

const LINUX: Sources = { proc: "/proc", cgroups: "/sys/fs/cgroup", machineFreeBytes: freemem };

/** The names of a cgroup's files, which differ between the versions. */
interface CgroupFiles {
	readonly limit: string;
	readonly usage: string;
	/** Fields of `memory.stat`, including the groups below. */
	readonly inactiveFile: string;
	readonly activeFile: string;
}

const V1: CgroupFiles = {
	limit: "memory.limit_in_bytes",
	usage: "memory.usage_in_bytes",
	inactiveFile: "total_inactive_file",
	activeFile: "total_active_file",
};
const V2: CgroupFiles = {
	limit: "memory.max",
	usage: "memory.current",
	inactiveFile: "inactive_file",
	activeFile: "active_file",
};

/** Resolves to the memory that processes can still take: the least of the machine's and of each cgroup's around this process. */
export async function readAvailableBytes(sources: Sources = LINUX): Promise<number> {
	const { proc, cgroups, machineFreeBytes } = sources;
	const available = [machineFreeBytes()];
	const membership = await readText(join(proc, "self/cgroup"));
	const pathV1 = /^\d+:(?:[^:\n]*,)?memory(?:,[^:\n]*)?:(.*)$/m.exec(membership)?.[1];
	const pathV2 = /^0::(.*)$/m.exec(membership)?.[1];
	if (pathV1 !== undefined) available.push(...(await availableInGroups(join(cgroups, "memory"), pathV1, V1)));
	else if (pathV2 !== undefined) available.push(...(await availableInGroups(cgroups, pathV2, V2)));
	return Math.max(0, Math.min(...available));
}

/**
 * Resolves to the available memory of each group with a limit, from the given one up to the root. A container may show the path
 * on its host, of which only the root exists inside.
 */
async function availableInGroups(mount: string, path: string, files: CgroupFiles): Promise<readonly number[]> {
	const found: number[] = [];
	for (let group = join("/", path); ; group = dirname(group)) {
		const bytes = await availableInGroup(join(mount, group), files);
		if (bytes !== undefined) found.push(bytes);
		if (group === "/") return found;
	}
}

/** Resolves to `undefined` if the group has no limit. */
async function availableInGroup(folder: string, files: CgroupFiles): Promise<number | undefined> {
	const [limit, usage, stat] = await Promise.all(
		[files.limit, files.usage, "memory.stat"].map((name) => readText(join(folder, name))),
	);
	const [limitBytes, usedBytes] = [numberIn(limit), numberIn(usage)];
	// Version 2 writes "max"; version 1 writes a number above the memory of every machine.
	if (limitBytes === undefined || usedBytes === undefined) return undefined;
	// The kernel drops cached files before it kills. Programs would read half of those in use again.
	const cacheBytes = fieldOf(stat, files.inactiveFile) + fieldOf(stat, files.activeFile) / 2;
	return limitBytes - usedBytes + cacheBytes;
}

/** Returns a field of `memory.stat`; 0 without it. */
function fieldOf(stat: string | undefined, name: string): number {
	return Number(new RegExp(`^${name} (\\d+)$`, "m").exec(stat ?? "")?.[1] ?? 0);
}

function numberIn(text: string | undefined): number | undefined {
	return text !== undefined && /^\d+\s*$/.test(text) ? Number(text) : undefined;
}

/** Resolves to an empty text for a file that cannot be read. */
async function readText(path: string): Promise<string> {
	return await readFile(path, "utf8").catch(() => "");
}
