import {
	ApplicationIntegrationType,
	DiscordAPIError,
	InteractionContextType,
	MessageFlags,
	RESTJSONErrorCodes,
} from "discord.js";
import { pino } from "pino";
import { describe, expect, test } from "vitest";
import { defineButton } from "../../../src/commands/framework/component.ts";
import type { DispatchDeps } from "../../../src/commands/framework/dispatch.ts";
import { defineCustomId, idField } from "../../../src/discord/custom-id.ts";
import { t } from "../../../src/i18n/messages.ts";
import { CorruptDocumentError } from "@atelier/store/store-errors";
import { cardReply, text as cardText } from "../../../src/discord/card.ts";
import { DirectoryUnavailableError } from "../../../src/services/access/guild-directory.ts";
import { CreditChangeUncertainError } from "../../../src/services/credits/credit-service.ts";
import { UserError } from "../../../src/services/user-error.ts";
import { dispatchWith, messageCommands, slashCommands } from "../fake-services.ts";
import { fakeInteraction } from "../fake-interaction.ts";

const promptEmptyError = new UserError({ key: "request.promptEmpty" });
const privateCard = (content: string) => ({
	...cardReply([cardText(content)], "failure"),
	flags: [MessageFlags.Ephemeral, MessageFlags.IsComponentsV2],
});

/** Dispatches an interaction in a German server. Resolves to its calls to Discord, in order, and the log. */
async function dispatched(
	handlers: Pick<Partial<DispatchDeps>, "commands" | "components">,
	is: Parameters<typeof fakeInteraction>[0],
	fields: object,
): Promise<{ calls: readonly unknown[]; log: string }> {
	const calls: unknown[] = [];
	const call = (name: string) => async (body?: unknown) =>
		void calls.push(body === undefined ? name : { [name]: body });
	const methods = ["reply", "editReply", "deleteReply", "followUp"].map((name) => [name, call(name)] as const);
	const services = {
		languages: { record: () => {}, localeOf: () => "de" },
		settings: { read: async () => ({}) },
	};
	let log = "";
	const logger = pino({}, { write: (line) => void (log += line) });
	const dispatch = dispatchWith(services, { ...handlers, logger });
	await dispatch(fakeInteraction(is, { ...Object.fromEntries(methods), ...fields }));
	return { calls, log };
}

/** Types a command that throws. */
const typeFailing = (error: Error, fields: object = {}) => {
	const execute = async () => {
		throw error;
	};
	const command = { definition: { name: "failing", description: "failing" }, execute };
	return dispatched({ commands: [command] }, ["isChatInputCommand"], { commandName: "failing", ...fields });
};

test.each([
	[
		"meets a damaged account",
		new CorruptDocumentError("account:guild:2", new Error("damage")),
		"Some stored data of this server is damaged, so this isn't possible.",
	],
	["fails unexpectedly", new TypeError("secret of the code"), "Something went wrong."],
])("a command that %s shows the incident id that is in the log, and no internals", async (_what, error, shown) => {
	const { calls, log } = await typeFailing(error);
	const reply = JSON.stringify(calls);
	expect(reply).toContain(shown);
	expect(reply).not.toContain(error.message);
	expect(log).toContain(error.message);
	expect(log).toContain(`"incidentId":"${/incident ([\da-f]{8})/.exec(reply)?.[1] ?? "none"}"`);
});

test.each([
	["Discord does not give the permissions", new DirectoryUnavailableError({}), "error.discordUnavailable"],
	["it is uncertain whether credits moved", new CreditChangeUncertainError("1", {}), "credits.changeUncertain"],
] as const)("a command says that %s, without an incident", async (_what, error, key) => {
	const { calls, log } = await typeFailing(error);
	expect(calls).toStrictEqual([{ reply: privateCard(t("en-US", { key })) }]);
	expect(log).not.toContain("incidentId");
});

test.each([true, false])(
	"an unexpected error leaves a deferred reply a classic message, in which a task may still deliver music (ephemeral: %s)",
	async (ephemeral) => {
		const { calls } = await typeFailing(new Error("response lost"), { deferred: true, ephemeral });
		expect(calls).toStrictEqual([{ editReply: { content: expect.stringMatching(/incident|Vorfall/) } }]);
	},
);

test("a command outside of a server is denied to the member alone, in their language, before anything is read", async () => {
	const replies: unknown[] = [];
	const interaction = fakeInteraction(["isChatInputCommand"], {
		commandName: "image",
		guildId: null,
		guildLocale: null,
		locale: "de",
		inGuild: () => false,
		reply: async (reply: unknown) => void replies.push(reply),
	});
	// No service exists, so a read would throw.
	await dispatchWith({})(interaction);
	expect(replies).toStrictEqual([privateCard("Nutze das auf einem Server, denn Credits gehören zu Servern.")]);
});

test("commands are registered for guilds and guild installs only", () => {
	for (const { name, contexts, integration_types: installed } of [...slashCommands, ...messageCommands]) {
		expect({ name, contexts, installed }).toStrictEqual({
			name,
			contexts: [InteractionContextType.Guild],
			installed: [ApplicationIntegrationType.GuildInstall],
		});
	}
});

describe("a denial after a public deferral", () => {
	const denial = { followUp: privateCard(t("en-US", { key: "request.promptEmpty" })) };
	const neutral = { editReply: { content: t("de", { key: "request.repliedPrivately" }) } };
	const code = RESTJSONErrorCodes.UnknownMessage;
	const request = { body: undefined, files: undefined };
	const unknownMessageError = new DiscordAPIError({ code, message: "" }, code, 404, "DELETE", "https://x", request);

	test.each<[string, object, readonly unknown[]]>([
		["replaces the deferral with an ephemeral follow-up in the member's language", {}, ["deleteReply", denial]],
		["is sent even if the deferral was deleted", { deleteReply: () => Promise.reject(unknownMessageError) }, [denial]],
		[
			"edits the deferral without the reason if it cannot be deleted",
			{ deleteReply: () => Promise.reject(new Error("no answer")) },
			[neutral, denial],
		],
	])("%s", async (_what, fields, expected) => {
		const deferral = { guildLocale: "de", deferred: true, ephemeral: false };
		const { calls } = await typeFailing(promptEmptyError, { ...deferral, ...fields });
		expect(calls).toStrictEqual(expected);
	});
});

describe("a component", () => {
	const press = defineCustomId("press", { taskId: idField.snowflake });
	const components = [
		defineButton(press, async () => {
			throw promptEmptyError;
		}),
	];
	const BUTTON = ["isMessageComponent", "isButton"] as const;

	test("that denies after the acknowledgement leaves its message unchanged", async () => {
		const acknowledged = { customId: press.encode({ taskId: "12" }), deferred: true, ephemeral: null };
		const { calls } = await dispatched({ components }, BUTTON, acknowledged);
		expect(calls).toStrictEqual([{ followUp: privateCard(t("en-US", { key: "request.promptEmpty" })) }]);
	});

	test.each(["1:press:0", "1:press:me", "1:gone:1", "0:press:1", "something else"])(
		"with a forged custom id is denied: %s",
		async (forged) => {
			const { calls, log } = await dispatched({ components }, BUTTON, { customId: forged });
			expect(calls).toStrictEqual([{ reply: privateCard(t("en-US", { key: "request.unknownButton" })) }]);
			expect(log).not.toContain("something else");
		},
	);
});
