import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createMemberNames, type Member } from "../../web/src/member-names.ts";

const member = (id: string, name = `name ${id}`): Member => ({ id, name, avatarUrl: null });

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const flush = (): Promise<unknown> => vi.advanceTimersByTimeAsync(100);

describe("names of members", () => {
	test("are read once, in batches of 100 one after the other, and not if another response named the member", async () => {
		const reads: (readonly string[])[] = [];
		const first = Promise.withResolvers<void>();
		const names = createMemberNames(async (ids) => {
			reads.push(ids);
			await first.promise;
			return ids.map((id) => member(id));
		});
		names.learn([member("0")]);
		const request = (): void => {
			for (let id = 0; id <= 101; id++) names.request(String(id));
		};
		request();
		request();
		await flush();
		expect(reads.map((ids) => [ids[0], ids.length])).toStrictEqual([["1", 100]]);
		first.resolve();
		await flush();
		request();
		await flush();
		expect(reads.slice(1)).toStrictEqual([["101"]]);
		expect(names.known.value.get("101")?.name).toBe("name 101");
	});

	test("are requested again after a failure", async () => {
		const reads: (readonly string[])[] = [];
		const names = createMemberNames((ids) => {
			reads.push(ids);
			return Promise.reject(new Error("away"));
		});
		names.request("1");
		await flush();
		names.request("1");
		await flush();
		expect(reads).toStrictEqual([["1"], ["1"]]);
	});
});
