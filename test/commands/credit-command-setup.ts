import { textsIn } from "../../src/discord/message-contents.ts";
import { PermissionFlagsBits, PermissionsBitField } from "discord.js";
import { pino } from "pino";
import { createDispatch } from "../../src/commands/framework/dispatch.ts";
import { createCreditService } from "../../src/services/credits/credit-service.ts";
import { createGuildAccounts, guildAccount } from "../../src/services/credits/guild-accounts.ts";
import { createGuildLanguages } from "../../src/services/settings/guild-languages.ts";
import { createGuildSettings } from "../../src/services/settings/guild-settings.ts";
import { createSettingsService } from "../../src/services/settings/settings-service.ts";
import { createLedger } from "@atelier/ledger/create-ledger";
import { createKeyvStore } from "@atelier/store/keyv-store";
import { createMemoryAdapter } from "@atelier/store/memory-adapter";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import { dispatchDeps } from "./bind-all.ts";
import { fakeInteraction, fakeOptions } from "./fake-interaction.ts";

const GUILD = "1000000000000000010";
export const MANAGER = "1000000000000000007";
export const MEMBER = "1000000000000000008";

export interface Answer {
	readonly content?: string | null;
	readonly components?: unknown;
	readonly files?: readonly { readonly name: string; readonly attachment: Buffer }[];
}

type Options = Readonly<Record<string, string | number | boolean>>;

/**
 * The credit commands on a real ledger, without Discord: 500 credits a month, at noon of 20 November 2026. `fakes` replace
 * services.
 */
export function setupCredits(fakes: Readonly<Record<string, unknown>> = {}) {
	const store = createKeyvStore(createMemoryAdapter());
	const clock = createManualClock(Date.UTC(2026, 10, 20, 12));
	const ledger = createLedger({ store, clock });
	const settings = createGuildSettings(store, { clock });
	const languages = createGuildLanguages({ readLocale: async () => undefined });
	const settingsService = createSettingsService({
		settings,
		languages,
		channels: { isInGuild: async () => true },
		channelPoster: { post: async () => "1", remove: async () => {} },
		provided: { improver: false, moderation: false },
	});
	const accounts = createGuildAccounts({ store, ledger, settings, clock, monthlyCredits: 500 });
	const services = {
		catalog: { known: () => [] },
		topUp: { offered: () => [] },
		accounts,
		settings,
		settingsService,
		languages,
		creditService: createCreditService({ ledger, mayManagersGrant: true }),
		mayManagersGrant: true,
		ledger,
		commandOverrides: { read: async () => [] },
		clock,
		...fakes,
	};
	const dispatch = createDispatch({ ...dispatchDeps(services), logger: pino({ level: "silent" }) });
	let createdIds = 0;

	/** Types a command, such as `credits show`. Resolves to the last reply. */
	async function type(userId: string, path: string, options: Options = {}): Promise<Answer> {
		const [commandName, subcommand] = path.split(" ");
		const answers: Answer[] = [];
		const interaction = fakeInteraction(["isChatInputCommand"], {
			commandName,
			id: String(++createdIds),
			user: { id: userId },
			memberPermissions: new PermissionsBitField(userId === MANAGER ? PermissionFlagsBits.ManageGuild : 0n),
			deferred: true,
			editReply: async (answer: Answer) => void answers.push(answer),
			options: fakeOptions(options, subcommand),
		});
		await dispatch(interaction);
		const answer = answers.at(-1);
		if (!answer) throw new Error(`no answer to /${path}`);
		return answer;
	}

	/** Runs a task that costs credits, and succeeds ("post") or fails ("void"). With "open" it succeeds when the returned function is called. */
	async function spend(
		userId: string,
		amountCredits: number,
		end: "post" | "void" | "open" = "post",
	): Promise<() => Promise<unknown>> {
		const { limits } = await accounts.planPayment({ guildId: GUILD, userId, roleIds: [] }, "image");
		const account = guildAccount(GUILD);
		const holdId = `t${++createdIds}`;
		const note = { by: `member:${userId}`, reason: "image", mediaType: "image", model: "Paint" };
		await ledger.reserve(account, holdId, amountCredits, note, { limits });
		const ended = { limits: limits.map((limit) => limit.account) };
		const post = () => ledger.post(account, holdId, amountCredits, note, ended);
		if (end === "post") await post();
		if (end === "void") await ledger.void(account, holdId, note, ended);
		return post;
	}

	return { clock, spend, type };
}

/** The lines of a reply, with its relative timestamps, and those of a date and a time, replaced by words. */
export function linesOf({ content, components }: Answer): readonly string[] {
	return [...(typeof content === "string" ? [content] : []), ...textsIn(components)]
		.join("\n")
		.replaceAll(/<t:\d+:R>/g, "<day>")
		.replaceAll(/<t:\d+:d> <t:\d+:t>/g, "<then>")
		.split("\n");
}
