/** Buttons beside the entries of a list: each removes its entry, and shows the same page again, below what was changed. */
import type { ButtonInteraction } from "discord.js";
import { button } from "../../discord/card.ts";
import { defineCustomId, idField, type CustomIdCodec } from "../../discord/custom-id.ts";
import type { MessageDescriptor } from "../../i18n/message-descriptor.ts";
import { t } from "../../i18n/messages.ts";
import type { GuildSettings } from "../../services/settings/guild-settings.ts";
import { UserError } from "../../services/user-error.ts";
import type { InGuild } from "../framework/command.ts";
import type { CommandServices } from "../command-services.ts";
import { defineButton, type AuthorizePress, type Component } from "../framework/component.ts";
import type { definePagedList } from "../framework/paged-list.ts";
import { changeSettings } from "./change-settings.ts";
import { checksumField, checksumOf } from "./setting-editor.ts";

type EntryCustomIdCodec = CustomIdCodec<{ readonly page: number; readonly checksum: number }>;

/** The ids name an entry by its checksum: entries contain texts of members, and one that changed must not be removed. */
export function defineEntryCustomId(name: string): EntryCustomIdCodec {
	return defineCustomId(name, { page: idField.number, checksum: checksumField });
}

/** Builds the button of an entry on this page. */
export function entryButton(
	customIdCodec: EntryCustomIdCodec,
	entry: unknown,
	page: number,
	label: MessageDescriptor,
	locale: string,
) {
	return button(customIdCodec.encode({ page, checksum: checksumOf(entry) }), t(locale, label));
}

interface EntryRemoval<Entry> {
	readonly customIdCodec: EntryCustomIdCodec;
	readonly list: Pick<ReturnType<typeof definePagedList>, "show">;
	/** Throws a `UserError` for members who may not remove entries, which others may be able to list. */
	readonly authorizePress: AuthorizePress;
	readonly entriesOf: (settings: GuildSettings, services: CommandServices) => readonly Entry[];
	readonly remove: (
		settings: GuildSettings,
		entry: Entry,
		interaction: ButtonInteraction<InGuild>,
		services: CommandServices,
	) => GuildSettings;
}

export function defineEntryRemoval<Entry>(removal: EntryRemoval<Entry>): Component {
	const { customIdCodec, list, authorizePress, entriesOf, remove } = removal;

	/** Only logs a failure: a performed change must not be reported as failed, and a denial must keep its reason. */
	async function showList(
		interaction: ButtonInteraction<InGuild>,
		page: number,
		notice: MessageDescriptor | undefined,
		services: CommandServices,
	): Promise<void> {
		try {
			await list.show(interaction, { page }, services, notice);
		} catch (error) {
			services.logger.warn({ err: error }, "list not updated");
		}
	}

	return defineButton(customIdCodec, async (interaction, { page, checksum }, services) => {
		await interaction.deferUpdate();
		await authorizePress(interaction, services);
		const removeShown = (before: GuildSettings): GuildSettings => {
			const entry = entriesOf(before, services).find((each) => checksumOf(each) === checksum);
			if (entry === undefined) throw new UserError({ key: "list.entryGone" });
			return remove(before, entry, interaction, services);
		};
		let notice: MessageDescriptor | undefined;
		try {
			({ notice } = await changeSettings(interaction, removeShown, services));
		} finally {
			// Also after a denial: the page may be older than the settings.
			await showList(interaction, page, notice, services);
		}
	});
}
