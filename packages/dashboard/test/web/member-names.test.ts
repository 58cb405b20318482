import { describe, expect, test } from "vitest";
import { createMemberNames, type Member } from "../../web/src/member-names.ts";

const member = (id: string, name = `name ${id}`): Member => ({ id, name, avatarUrl: null });

function setup({ fails = false } = {}) {
	const reads: (readonly string[])[] = [];
	const timers: (() => void)[] = [];
	const names = createMemberNames({
		read: (ids) => {
			reads.push(ids);
			return fails ? Promise.reject(new Error("away")) : Promise.resolve(ids.map((id) => member(id)));
		},
		setTimeout: (run) => timers.push(run),
	});
	const flush = async (): Promise<void> => {
		for (const run of timers.splice(0)) run();
		await new Promise((resolve) => setTimeout(resolve, 0));
	};
	return { names, reads, flush };
}

describe("names of members", () => {
	test("are read once, in batches of 100", async () => {
		const { names, reads, flush } = setup();
		for (let id = 1; id <= 150; id++) names.request(String(id));
		names.request("1");
		await flush();
		names.request("1");
		await flush();
		expect(reads.map(({ length }) => length)).toStrictEqual([100, 50]);
		expect(names.known.value.get("150")?.name).toBe("name 150");
	});

	test("are read one batch after the other, and not if another response named the member", async () => {
		const reads: string[] = [];
		const first = Promise.withResolvers<readonly Member[]>();
		const names = createMemberNames({
			read: async (ids) => {
				reads.push(ids[0] ?? "");
				return ids[0] === "1" ? await first.promise : [];
			},
			setTimeout: (run) => setTimeout(run, 0),
		});
		names.learn([member("0")]);
		for (let id = 0; id <= 101; id++) names.request(String(id));
		await new Promise((resolve) => setTimeout(resolve, 5));
		expect(reads).toStrictEqual(["1"]);
		first.resolve([]);
		await new Promise((resolve) => setTimeout(resolve, 0));
		expect(reads).toStrictEqual(["1", "101"]);
	});

	test("are requested again after a failure", async () => {
		const { names, reads, flush } = setup({ fails: true });
		names.request("1");
		await flush();
		names.request("1");
		await flush();
		expect(reads).toStrictEqual([["1"], ["1"]]);
	});
});
