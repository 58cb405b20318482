import { expect, test } from "vitest";
import type { Caller } from "../../../src/http/dashboard/api-request.ts";
import type { DashboardServices } from "../../../src/http/dashboard/dashboard-services.ts";
import { directoryHandlers } from "../../../src/http/dashboard/handlers/directory.ts";
import { DirectoryUnavailableError } from "../../../src/services/access/guild-directory.ts";

test("the names of many members are read a few at a time, and those that Discord did not return are missing", async () => {
	let reads = 0;
	let readsMax = 0;
	const readMember = async (_guildId: string, id: string) => {
		readsMax = Math.max(readsMax, ++reads);
		await Promise.resolve();
		reads--;
		if (id === "3") throw new DirectoryUnavailableError({});
		return id === "4" ? undefined : { name: `Member ${id}`, avatarUrl: null };
	};
	const services = { directory: { readMember } } as unknown as DashboardServices;
	const namesOf = async (ids: readonly number[]) => {
		const request = { params: { server: "1" }, query: { ids: ids.join(",") }, caller: {} as Caller };
		return (await directoryHandlers.memberNames(request, services)).members.map(({ name }) => name);
	};
	const names = await namesOf(Array.from({ length: 100 }, (_, at) => at));
	expect(readsMax).toBe(5);
	expect(names).toHaveLength(99);
	expect(names.slice(0, 4)).toStrictEqual(["Member 0", "Member 1", "Member 2", "4"]);
	await expect(namesOf([3])).rejects.toThrow(DirectoryUnavailableError);
});
