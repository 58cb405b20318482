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

const LIMITED = {
	"proc/self/cgroup": "0::/bot",
	"cgroups/bot/memory.max": 512 * MIB,
	"cgroups/bot/memory.current": 300 * MIB,
	"cgroups/bot/memory.stat": `anon 1\ninactive_file ${40 * MIB}\nactive_file ${60 * MIB}`,
};
const VERSION_1 = {
	"proc/self/cgroup": "4:cpu,memory:/bot\n0::/",
	"cgroups/memory/bot/memory.limit_in_bytes": 512 * MIB,
	"cgroups/memory/bot/memory.usage_in_bytes": 400 * MIB,
	"cgroups/memory/bot/memory.stat": `inactive_file ${1 * MIB}\ntotal_inactive_file ${20 * MIB}\ntotal_active_file 0`,
	"cgroups/memory/memory.limit_in_bytes": "9223372036854771712",
	"cgroups/memory/memory.usage_in_bytes": 700 * MIB,
};
const OUTER_GROUP = { "cgroups/memory.max": 400 * MIB, "cgroups/memory.current": 300 * MIB };

test.each<[string, Readonly<Record<string, string | number>>, number]>([
	["that of the machine without cgroups", {}, MACHINE_FREE],
	["that of the machine without a limit", { ...LIMITED, "cgroups/bot/memory.max": "max" }, MACHINE_FREE],
	// All of the inactive file cache, and half of the active one.
	["the rest of the limit, and the cache that the kernel would drop first", LIMITED, (512 - 300 + 40 + 30) * MIB],
	["that of the group with the least, of all that contain the process", { ...LIMITED, ...OUTER_GROUP }, 100 * MIB],
	[
		"that of the root in a container that shows the path on its host",
		{ ...OUTER_GROUP, "proc/self/cgroup": "0::/system.slice/docker-4711.scope" },
		100 * MIB,
	],
	["by the same rule with cgroups of version 1", VERSION_1, 132 * MIB],
	["none above the limit", { ...LIMITED, "cgroups/bot/memory.current": 700 * MIB }, 0],
])("the available memory is %s", async (_what, files, bytes) => {
	expect(await available(files)).toBe(bytes);
});
