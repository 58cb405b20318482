import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { readAvailableBytes } from "../../../src/transcode/memory/available-memory.ts";
import { createTempFolder } from "@atelier/common/testing/temp-folder";

const MIB = 1024 * 1024;
const MACHINE_FREE = 8000 * MIB;
const machineFreeBytes = (): number => MACHINE_FREE;

/** The memory that is available on a machine with these files in `proc` and `cgroups`. */
async function available(files: Readonly<Record<string, string | number>>): Promise<number> {
	const folder = await createTempFolder();
	for (const [name, content] of Object.entries(files)) {
		await mkdir(dirname(join(folder, name)), { recursive: true });
		await writeFile(join(folder, name), `${content}\n`);
	}
	return await readAvailableBytes({ proc: join(folder, "proc"), cgroups: join(folder, "cgroups"), machineFreeBytes });
}

test("without cgroups, the memory of the machine is available", async () => {
	expect(await available({})).toBe(MACHINE_FREE);
	expect(await available({ "proc/self/cgroup": "0::/" })).toBe(MACHINE_FREE);
});

test("with cgroups version 2, the rest of the limit is available, plus the cache that the kernel would drop first", async () => {
	const group = {
		"proc/self/cgroup": "0::/bot",
		"cgroups/bot/memory.max": 512 * MIB,
		"cgroups/bot/memory.current": 300 * MIB,
		"cgroups/bot/memory.stat": `anon 1\ninactive_file ${40 * MIB}\nactive_file ${60 * MIB}`,
	};
	// All of the inactive file cache, and half of the active one.
	expect(await available(group)).toBe((512 - 300 + 40 + 30) * MIB);
	expect(await available({ ...group, "cgroups/bot/memory.max": "max" })).toBe(MACHINE_FREE);
});

test("of the groups that contain the process, the one with the least available memory counts", async () => {
	const files = {
		"proc/self/cgroup": "0::/outer/inner",
		"cgroups/outer/memory.max": 400 * MIB,
		"cgroups/outer/memory.current": 300 * MIB,
		"cgroups/outer/inner/memory.max": 900 * MIB,
		"cgroups/outer/inner/memory.current": 200 * MIB,
	};
	expect(await available(files)).toBe(100 * MIB);
});

test("in a container whose cgroup path is that of the host, the group at the root of the mount counts", async () => {
	const files = {
		"proc/self/cgroup": "0::/system.slice/docker-4711.scope",
		"cgroups/memory.max": 512 * MIB,
		"cgroups/memory.current": 112 * MIB,
	};
	expect(await available(files)).toBe(400 * MIB);
});

test("with cgroups version 1, alone or beside version 2, the same rule applies to its files", async () => {
	const files = {
		"cgroups/memory/bot/memory.limit_in_bytes": 512 * MIB,
		"cgroups/memory/bot/memory.usage_in_bytes": 400 * MIB,
		"cgroups/memory/bot/memory.stat": `inactive_file ${1 * MIB}\ntotal_inactive_file ${20 * MIB}\ntotal_active_file 0`,
		"cgroups/memory/memory.limit_in_bytes": "9223372036854771712",
		"cgroups/memory/memory.usage_in_bytes": 700 * MIB,
	};
	expect(await available({ ...files, "proc/self/cgroup": "4:memory:/bot\n0::/" })).toBe(132 * MIB);
	expect(await available({ ...files, "proc/self/cgroup": "3:cpu,memory:/bot" })).toBe(132 * MIB);
});

test("a group above its limit has no available memory", async () => {
	const files = { "cgroups/memory.max": 100 * MIB, "cgroups/memory.current": 101 * MIB };
	expect(await available({ ...files, "proc/self/cgroup": "0::/" })).toBe(0);
});
