import {
	ApplicationIntegrationType,
	DiscordAPIError,
	InteractionContextType,
	MessageFlags,
	RESTJSONErrorCodes,
} from "discord.js";
import { Writable } from "node:stream";
import { pino } from "pino";
import { describe, expect, test } from "vitest";
import { bind } from "../../src/commands/bind-commands.ts";
import type { Command } from "../../src/commands/command.ts";
import { createDispatch } from "../../src/commands/dispatch.ts";
import { t } from "../../src/i18n/messages.ts";
import { CorruptDocumentError } from "@atelier/store/store-errors";
import { cardReply, text as cardText } from "../../src/discord/card.ts";
import { UserError } from "../../src/services/user-error.ts";
import { commands, dispatchDeps, messageCommands } from "./bind-all.ts";
import { fakeInteraction } from "./fake-interaction.ts";

const privateCard = (content: string) => ({
	...cardReply([cardText(content)], "failure"),
	flags: [MessageFlags.Ephemeral, MessageFlags.IsComponentsV2],
});

/** Types a command that throws. Resolves to the reply and the log. */
async function answerToFailingCommand(failure: Error): Promise<{ answer: string; log: string }> {
	let answer = "";
	let log = "";
	const interaction = fakeInteraction(["isChatInputCommand"], {
		commandName: "failing",
		guildId: "2",
		reply: async (reply: object) => void (answer = JSON.stringify(reply)),
	});
	const failing: Command<unknown> = {
		definition: { name: "failing", description: "failing" },
		execute: () => Promise.reject(failure),
	};
	const sink = new Writable({
		write(chunk, _encoding, done) {
			log += String(chunk);
			done();
		},
	});
	const set = bind({ commands: [failing] }, {});
	await createDispatch({ ...dispatchDeps({}, set), logger: pino(sink) })(interaction);
	return { answer, log };
}

const incidentOf = (answer: string): string => /incident ([\da-f]{8})/.exec(answer)?.[1] ?? "no incident";

test("a command that meets a damaged account shows the incident id that is in the log", async () => {
	const { answer, log } = await answerToFailingCommand(
		new CorruptDocumentError("account:guild:2", new Error("damage")),
	);
	expect(answer).toContain("This server's credit records are damaged, so no credits were charged or added.");
	expect(log).toContain(`"incidentId":"${incidentOf(answer)}"`);
	expect(log).toContain("account:guild:2");
});

test("a command that fails unexpectedly shows the incident id that is in the log, and no internals", async () => {
	const { answer, log } = await answerToFailingCommand(new TypeError("x is not a function"));
	expect(answer).toContain("Something went wrong.");
	expect(answer).not.toContain("function");
	expect(log).toContain(`"incidentId":"${incidentOf(answer)}"`);
});

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
	await createDispatch({ ...dispatchDeps({}), logger: pino({ level: "silent" }) })(interaction);
	expect(replies).toStrictEqual([privateCard("Nutze das auf einem Server, denn Credits gehören zu Servern.")]);
});

test("commands are registered for guilds and guild installs only", () => {
	for (const { definition } of [...commands, ...messageCommands]) {
		const { name, contexts, integration_types: installed } = definition;
		expect({ name, contexts, installed }).toStrictEqual({
			name,
			contexts: [InteractionContextType.Guild],
			installed: [ApplicationIntegrationType.GuildInstall],
		});
	}
});

/** The calls that reach Discord, in order; `deletion` is the error with which the deletion of the deferral fails. */
async function callsAfterDenial(deletion?: Error): Promise<readonly unknown[]> {
	const calls: unknown[] = [];
	const interaction = fakeInteraction(["isChatInputCommand"], {
		commandName: "failing",
		guildLocale: "de",
		deferred: true,
		ephemeral: false,
		deleteReply: async () => {
			calls.push("delete");
			if (deletion) throw deletion;
		},
		editReply: async (reply: unknown) => void calls.push({ edit: reply }),
		followUp: async (reply: unknown) => void calls.push({ followUp: reply }),
	});
	const failing: Command<unknown> = {
		definition: { name: "failing", description: "failing" },
		execute: () => Promise.reject(new UserError({ key: "request.promptEmpty" })),
	};
	const services = {
		languages: { record: () => {}, localeOf: () => "de" },
		settings: { read: async () => ({}) },
	};
	const set = bind({ commands: [failing] }, {});
	await createDispatch({ ...dispatchDeps(services, set), logger: pino({ level: "silent" }) })(interaction);
	return calls;
}

describe("a denial after a public deferral", () => {
	const replies = { followUp: privateCard(t("en-US", { key: "request.promptEmpty" })) };

	test("replaces the deferral with an ephemeral follow-up in the member's language", async () => {
		expect(await callsAfterDenial()).toStrictEqual(["delete", replies]);
	});

	test("is sent even if the deferral was deleted", async () => {
		const unknownMessageError = new DiscordAPIError(
			{ code: RESTJSONErrorCodes.UnknownMessage, message: "Unknown Message" },
			RESTJSONErrorCodes.UnknownMessage,
			404,
			"DELETE",
			"https://discord.test",
			{ body: undefined, files: undefined },
		);
		expect(await callsAfterDenial(unknownMessageError)).toStrictEqual(["delete", replies]);
	});

	test("edits the deferral without the reason if it cannot be deleted", async () => {
		const neutral = { edit: { content: t("de", { key: "request.answeredPrivately" }) } };
		expect(await callsAfterDenial(new Error("no answer"))).toStrictEqual(["delete", neutral, replies]);
	});
});
