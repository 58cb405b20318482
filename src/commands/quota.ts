import { MEDIA_TYPES } from "@atelier/media-protocol/model";
import { PERIODS } from "@atelier/dashboard/server-settings";
import type { Period } from "../services/period.ts";
import {
	changeMediaTypeLimit,
	changeMemberLimit,
	changeRoleLimit,
	changeServerLimit,
	type LimitChange,
} from "../services/settings/change-limits.ts";
import { searchTimeZones } from "../services/credits/time-zones.ts";
import type { SettingsUpdate } from "../services/settings/settings-store.ts";
import { LIMIT_CREDITS_MAX } from "@atelier/dashboard/limits";
import { setValues } from "../services/settings/setting-table.ts";
import { UserError } from "../services/user-error.ts";
import { changeSettings } from "./settings/change-settings.ts";
import { booleanOption, integerOption, roleOption, stringOption, userOption } from "./framework/command-options.ts";
import { defineCommandGroup, subcommand, type SlashInteraction } from "./framework/command.ts";
import { MANAGERS_OR_ALLOWED } from "./framework/invoking-member.ts";
import { MEDIA_TYPE_CHOICES } from "./framework/localize.ts";
import { slashOptionOf, slashOptionsOf } from "./settings/slash-options.ts";
import { quotaCard, requireTimeZone, TIME_ZONE_CHARS_MAX } from "./quota-card.ts";
import type { CommandServices } from "./command-services.ts";

const CREDITS = integerOption("credits", "option.amount", { min_value: 0, max_value: LIMIT_CREDITS_MAX });
const UNLIMITED = booleanOption("unlimited", "option.quotaUnlimited");
const CLEAR = booleanOption("clear", "option.quotaClear");
const PER = slashOptionOf("per", "option.quotaPer", "allowance.per");
const SERVER_OPTIONS = slashOptionsOf("server");

const changeServer = subcommand(
	"server",
	[
		CREDITS,
		PER,
		UNLIMITED,
		stringOption("time_zone", "option.quotaTimeZone", { max_length: TIME_ZONE_CHARS_MAX, autocomplete: true }),
		...SERVER_OPTIONS.options,
		booleanOption("warnings_off", "option.quotaNoWarnings"),
	],
	limitChange((interaction) => {
		const { options } = interaction;
		const credits = options.getInteger("credits") ?? undefined;
		const isUnlimited = isChosen(interaction, "unlimited");
		if (credits !== undefined && isUnlimited) throw new UserError({ key: "quota.serverLimitChoices" });
		const limit = { limit: isUnlimited ? ("unlimited" as const) : credits, per: periodOf(interaction) };
		const chosen = SERVER_OPTIONS.read(interaction);
		const isWarningOff = isChosen(interaction, "warnings_off");
		if (chosen.warnChannelId !== undefined && isWarningOff) throw new UserError({ key: "quota.warningChoices" });
		const timeZone = options.getString("time_zone");
		const values = {
			...chosen,
			...(isWarningOff && { warnChannelId: null }),
			...(timeZone !== null && { timeZone: requireTimeZone(timeZone) }),
		};
		if (Object.values({ ...limit, ...values }).every((value) => value === undefined))
			throw new UserError({ key: "quota.nothingToChange" });
		return (settings) => setValues(changeServerLimit(settings, limit), values);
	}),
);

const changeRole = subcommand(
	"role",
	[roleOption("role", "option.quotaRole", { required: true }), CREDITS, UNLIMITED, CLEAR],
	limitChange((interaction) => {
		const { id } = interaction.options.getRole("role", true);
		const limit = limitOf(interaction);
		if (limit === undefined) throw new UserError({ key: "quota.limitChoices" });
		return (settings) => changeRoleLimit(settings, id, limit);
	}),
);

const changeMember = subcommand(
	"member",
	[userOption("member", "option.quotaMember"), CREDITS, UNLIMITED, CLEAR, PER],
	limitChange((interaction) => {
		const member = interaction.options.getUser("member");
		const limit = limitOf(interaction);
		const per = periodOf(interaction);
		if (!member) {
			if (limit === undefined && per === undefined) throw new UserError({ key: "quota.nothingToChange" });
			return (settings) =>
				setValues(settings, {
					...(limit !== undefined && { "allowance.everyone": typeof limit === "number" ? limit : null }),
					...(per !== undefined && { "allowance.per": per }),
				});
		}
		if (per !== undefined) throw new UserError({ key: "quota.periodForEveryone" });
		if (limit === undefined) throw new UserError({ key: "quota.limitChoices" });
		return (settings) => changeMemberLimit(settings, member.id, limit);
	}),
);

const changeMediaType = subcommand(
	"media_type",
	[
		stringOption("media_type", "option.quotaMediaType", { required: true, choices: MEDIA_TYPE_CHOICES }),
		CREDITS,
		CLEAR,
	],
	limitChange((interaction) => {
		const choice = interaction.options.getString("media_type", true);
		const mediaType = MEDIA_TYPES.find((each) => each === choice);
		if (!mediaType) throw new Error(`unknown media type: ${choice}`);
		const credits = interaction.options.getInteger("credits");
		if ((credits === null) === !isChosen(interaction, "clear")) throw new UserError({ key: "quota.mediaTypeChoices" });
		return (settings) => changeMediaTypeLimit(settings, mediaType, credits ?? "clear");
	}),
);

export const quota = defineCommandGroup(
	"quota",
	[
		subcommand("show", [], async (interaction, services) => {
			await interaction.editReply(
				await quotaCard(interaction, await services.settings.read(interaction.guildId), services),
			);
		}),
		changeServer,
		changeRole,
		changeMember,
		changeMediaType,
	],
	{
		audience: MANAGERS_OR_ALLOWED,
		async autocomplete(interaction) {
			const zones = searchTimeZones(interaction.options.getFocused());
			await interaction.respond(zones.map((zone) => ({ name: zone, value: zone })));
		},
	},
);

/** Returns what a subcommand does: it makes the change that its options describe, and shows the limits. */
function limitChange(readChange: (interaction: SlashInteraction) => SettingsUpdate) {
	return async (interaction: SlashInteraction, services: CommandServices): Promise<void> => {
		const { settings, notice } = await changeSettings(interaction, readChange(interaction), services);
		await interaction.editReply(await quotaCard(interaction, settings, services, { notice }));
	};
}

function limitOf(interaction: SlashInteraction): LimitChange | undefined {
	const limits: LimitChange[] = [];
	const credits = interaction.options.getInteger("credits");
	if (credits !== null) limits.push(credits);
	if (isChosen(interaction, "unlimited")) limits.push("unlimited");
	if (isChosen(interaction, "clear")) limits.push("clear");
	if (limits.length > 1) throw new UserError({ key: "quota.limitChoices" });
	return limits[0];
}

/** Returns whether the member chose `true`: `false` means the same as a missing option. */
function isChosen({ options }: SlashInteraction, name: string): boolean {
	return options.getBoolean(name) === true;
}

function periodOf({ options }: SlashInteraction): Period | undefined {
	const choice = options.getString("per");
	return PERIODS.find((period) => period === choice);
}
