import { PermissionFlagsBits } from "discord.js";
import { expect, test } from "vitest";
import { createManualClock } from "@atelier/common/testing/manual-clock";
import { taskCustomIds } from "../../../src/discord/task-buttons.ts";
import { t } from "../../../src/i18n/messages.ts";
import { DirectoryUnavailableError } from "../../../src/services/access/guild-directory.ts";
import type { Actor } from "../../../src/services/access/member.ts";
import { fakeInteraction } from "../fake-interaction.ts";
import { dispatchWith } from "../fake-services.ts";

const taskId = "1000000000000000020";
const question = (removesFiles: boolean) => ({
	content: t("en-US", { key: "result.deleteQuestion", params: { removesFiles } }),
});

/** A press of Delete, and of its form, which is added to `asked`. */
const pressBy = (permissions: bigint, asked: unknown[]) => ({
	customId: taskCustomIds.delete.encode({ taskId }),
	permissions,
	message: { id: "77" },
	showModal: async ({ components }: { components: readonly unknown[] }) => void asked.push(...components),
	deleteReply: async () => undefined,
	followUp: async () => undefined,
});

test.each([
	["the member of the result", "7", 0n, false],
	["a manager", "8", PermissionFlagsBits.ManageGuild, true],
	["a member whose role has Manage Messages", "8", PermissionFlagsBits.ManageMessages, true],
	["a member with Manage Messages in one channel only", "8", PermissionFlagsBits.ManageMessages, false],
])("Delete by %s (%s, %s) removes files: %s", async (_who, authorId, permissions, removesFiles) => {
	const deletedBy: Actor[] = [];
	const asked: unknown[] = [];
	const dispatch = dispatchWith({
		clock: createManualClock(),
		directory: { readAccess: async () => ({ roleIds: [], permissions: { isModerator: removesFiles } }) },
		resultAccess: { requireMessageDeletable: async () => ({ id: taskId, userId: authorId }) },
		resultDeletion: { completeDeletion: async (actor: Actor) => void deletedBy.push(actor) },
	});
	const press = pressBy(permissions, asked);
	await dispatch(fakeInteraction(["isMessageComponent", "isButton"], press));
	await dispatch(fakeInteraction(["isModalSubmit"], press));
	expect(asked).toMatchObject([question(removesFiles)]);
	expect(deletedBy).toMatchObject([{ userId: "7", isModerator: removesFiles }]);
});

test("Delete warns of the files if Discord does not answer, and an own result needs no answer", async () => {
	const deletedBy: Actor[] = [];
	const asked: unknown[] = [];
	const dispatchFor = (userId: string) =>
		dispatchWith({
			clock: createManualClock(),
			directory: { readAccess: () => Promise.reject(new DirectoryUnavailableError({})) },
			resultAccess: { requireMessageDeletable: async () => ({ id: taskId, userId }) },
			resultDeletion: { completeDeletion: async (actor: Actor) => void deletedBy.push(actor) },
		});
	const press = pressBy(PermissionFlagsBits.ManageMessages, asked);
	await dispatchFor("8")(fakeInteraction(["isMessageComponent", "isButton"], press));
	await dispatchFor("7")(fakeInteraction(["isModalSubmit"], press));
	expect(asked).toMatchObject([question(true)]);
	expect(deletedBy).toMatchObject([{ userId: "7", isModerator: false }]);
});

test.each([true, false])(
	"Delete of the gallery opens its form without a request to Discord (own result: %s)",
	async (isOwn) => {
		const asked: unknown[] = [];
		// Without the directory.
		const dispatch = dispatchWith({ resultAccess: { isOwn: async () => isOwn } });
		await dispatch(
			fakeInteraction(["isMessageComponent", "isButton"], {
				customId: `1:gallery-delete:server:0:${taskId}`,
				showModal: async ({ components }: { components: readonly unknown[] }) => void asked.push(...components),
			}),
		);
		expect(asked).toMatchObject([question(!isOwn)]);
	},
);
