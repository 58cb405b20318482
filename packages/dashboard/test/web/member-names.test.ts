import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createMemberNames, type Member } from "../../web/src/member-names.ts";

const member = (id: string, name = `name ${id}`): Member => ({ id, name, avatarUrl: null });

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const flush = (): Promise<unknown> => vi.advanceTimersByTimeAsync(100);

function setup({ fails = false } = {}) {
	const reads: (readonly string[])[] = [];
	const names = createMemberNames((ids) => {
		reads.push(ids);
		return fails ? Promise.reject(new Error("away")) : Promise.resolve(ids.map((id) => member(id)));
	});
	return { names, reads };
}

describe("names of members", () => {
	test("are read once, in batches of 100", async () => {
		const { names, reads } = setup();
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
		const names = createMemberNames(async (ids) => {
			reads.push(ids[0] ?? "");
			return ids[0] === "1" ? await first.promise : [];
		});
		names.learn([member("0")]);
		for (let id = 0; id <= 101; id++) names.request(String(id));
		await flush();
		expect(reads).toStrictEqual(["1"]);
		first.resolve([]);
		await flush();
		expect(reads).toStrictEqual(["1", "101"]);
	});

	test("are requested again after a failure", async () => {
		const { names, reads } = setup({ fails: true });
		names.request("1");
		await flush();
		names.request("1");
		await flush();
		expect(reads).toStrictEqual([["1"], ["1"]]);
	});
});
