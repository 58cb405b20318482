import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createMemberSearch, SEARCH_DELAY_MS } from "../../web/src/member-search.ts";
import type { Member } from "../../web/src/member-names.ts";

const member = (id: string, name: string): Member => ({ id, name, avatarUrl: null });
const ADA = member("1", "Ada");
const ADELE = member("2", "Adele");

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function setup() {
	const searches: { readonly name: string; readonly answer: (found: readonly Member[]) => Promise<void> }[] = [];
	const search = createMemberSearch((name) => {
		const { promise, resolve } = Promise.withResolvers<readonly Member[]>();
		const answer = async (found: readonly Member[]): Promise<void> => {
			resolve(found);
			await vi.advanceTimersByTimeAsync(0);
		};
		searches.push({ name, answer });
		return promise;
	});
	return { search, searches, wait: () => void vi.advanceTimersByTime(SEARCH_DELAY_MS) };
}

describe("a search for members", () => {
	test("runs once the reader stops typing, and not for an id or a mention", () => {
		const { search, searches, wait } = setup();
		for (const typed of ["a", "ad", "ad "]) search.type(typed);
		wait();
		for (const typed of ["42", " <@42> ", "<@!42>"]) {
			search.type(typed);
			wait();
			expect(search.memberId()).toBe("42");
		}
		expect(searches.map(({ name }) => name)).toStrictEqual(["ad"]);
	});

	test("ignores a late response for an earlier text", async () => {
		const { search, searches, wait } = setup();
		search.type("a");
		wait();
		search.type("g");
		wait();
		await searches[1]?.answer([member("3", "Grace")]);
		await searches[0]?.answer([ADA]);
		expect(search.state.value.found).toStrictEqual([member("3", "Grace")]);
	});

	test("does not open its list after the reader has left the field", async () => {
		const { search, searches, wait } = setup();
		search.type("ad");
		wait();
		search.close();
		await searches[0]?.answer([ADA, ADELE]);
		expect([search.state.value.isOpen, search.state.value.found?.length]).toStrictEqual([false, 2]);
		search.type("ade");
		wait();
		await searches[1]?.answer([ADELE]);
		expect(search.state.value.isOpen).toBe(true);
	});

	test("is operated with the arrow keys, which wrap around at the ends of the list", async () => {
		const { search, searches, wait } = setup();
		search.type("ad");
		wait();
		await searches[0]?.answer([ADA, ADELE]);
		expect([search.state.value.isOpen, search.state.value.active]).toStrictEqual([true, -1]);
		const reached = ([1, 1, 1, -1] as const).map((step) => {
			search.move(step);
			return search.state.value.active;
		});
		expect(reached).toStrictEqual([0, 1, 0, 1]);
		search.choose(ADELE);
		expect([search.state.value.text, search.state.value.isOpen, search.memberId()]).toStrictEqual([
			"Adele",
			false,
			"2",
		]);
		search.type("Adel");
		expect(search.memberId()).toBeNull();
	});

	test("selects the only member with the typed name, without a choice from the list", async () => {
		const { search, searches, wait } = setup();
		search.type("ada");
		wait();
		await searches[0]?.answer([ADA, ADELE]);
		expect(search.memberId()).toBe("1");
		search.type("adele");
		wait();
		await searches[1]?.answer([ADELE, member("3", "adele")]);
		expect(search.memberId()).toBeNull();
		search.type("ada");
		wait();
		// Another member with the name may be beyond the end of a full list.
		await searches[2]?.answer([ADA, ...Array.from({ length: 9 }, (_, at) => member(`${at + 4}`, `ada ${at}`))]);
		expect(search.memberId()).toBeNull();
	});
});
