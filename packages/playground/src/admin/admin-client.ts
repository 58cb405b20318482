/** A client of the admin API, for the page, scripts and end-to-end tests. */
import type { z } from "zod";
import { createClient, requestJson } from "../page/page-client.ts";
import type {
	AdminInputs,
	AdminReads,
	AdminRouteName,
	AdminState,
	RequestRecord,
	VerdictCounts,
} from "./admin-contract.ts";

/** The routes without a change. */
const READS: readonly string[] = [
	"state",
	"guilds",
	"routes",
	"log",
	"recording",
] satisfies readonly (keyof AdminReads)[];

type InputOf<Name extends AdminRouteName> = z.input<AdminInputs[Name]>;
type AnswerOf<Name extends AdminRouteName> = Name extends keyof AdminReads ? AdminReads[Name] : AdminState;

type AdminRequests = {
	readonly [Name in AdminRouteName]: (
		...input: Partial<InputOf<Name>> extends InputOf<Name> ? [InputOf<Name>?] : [InputOf<Name>]
	) => Promise<AnswerOf<Name>>;
};

export type AdminClient = ReturnType<typeof openAdminClient>;

/** Requests about a guild concern the first one, or the one with this id. Changes return the new state, as `state` does. */
export function openAdminClient(origin: string, guildId?: string) {
	const client = createClient((name, input = {}) => {
		const url = new URL(`${origin}/playground/admin/${name}`);
		if (guildId !== undefined) url.searchParams.set("guild", guildId);
		if (!READS.includes(name)) return requestJson(url, { body: input });
		for (const [field, value] of Object.entries(input))
			if (value !== undefined) url.searchParams.set(field, String(value));
		return requestJson(url);
	}) as AdminRequests;
	return Object.assign(client, {
		/** The requests of the log alone. */
		async requests(after = 0): Promise<{ requests: readonly RequestRecord[]; counts: VerdictCounts }> {
			const { records, counts } = await client.log({ after, kind: "request" });
			return { requests: records.filter((record) => record.kind === "request"), counts };
		},
	});
}
