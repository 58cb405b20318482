import { expect, test } from "vitest";
import { createUploadLimits, sizeBelow } from "../../../src/services/delivery/upload-limits.ts";
import { createKeyvStore } from "@atelier/store/keyv-store";
import { createMemoryAdapter } from "@atelier/store/memory-adapter";
import { createManualClock } from "@atelier/common/testing/manual-clock";

const MIB = 1024 * 1024;
const DAY_MS = 24 * 60 * 60 * 1000;
const GUILD = "1000000000000000001";

function setup() {
	const storage = createMemoryAdapter();
	const clock = createManualClock();
	const boot = () => createUploadLimits({ store: createKeyvStore(storage), clock });
	return { clock, boot, limits: boot() };
}

test("a rejection of a file lowers the limit that Discord declares for this guild, across restarts", async () => {
	const { limits, boot } = setup();
	await limits.learn(GUILD, 24 * MIB);
	expect(await boot().read(GUILD, 25 * MIB)).toBe(10 * MIB);
	expect(await boot().read(GUILD, 8 * MIB)).toBe(8 * MIB);
	expect(await boot().read("1000000000000000002", 25 * MIB)).toBe(25 * MIB);
});

test("the rejection of a file above the known limit changes nothing", async () => {
	const { limits } = setup();
	await limits.learn(GUILD, 9 * MIB);
	await limits.learn(GUILD, 24 * MIB);
	expect(await limits.read(GUILD, 25 * MIB)).toBe(8 * MIB);
});

test("the rejection of the smallest size does not block a guild", async () => {
	const { limits } = setup();
	await limits.learn(GUILD, 1000);
	expect(await limits.read(GUILD, 25 * MIB)).toBe(MIB);
});

test("a learned limit is tested again after a month", async () => {
	const { limits, clock } = setup();
	await limits.learn(GUILD, 24 * MIB);
	await clock.advance(31 * DAY_MS);
	expect(await limits.read(GUILD, 25 * MIB)).toBe(25 * MIB);
});

test.each([
	[500 * MIB, 100 * MIB],
	[25 * MIB, 10 * MIB],
	[10 * MIB, 8 * MIB],
	[MIB + 1, MIB],
	[MIB, 0],
])("the next size below %i bytes is %i", (rejected, next) => expect(sizeBelow(rejected)).toBe(next));
