import type { Logger } from "pino";
import { PERIODS } from "../services/credits/period.ts";
import { searchTimeZones } from "../services/credits/time-zones.ts";
import { LIMIT_CREDITS_MAX } from "../services/settings/settings-schema.ts";
import type { GuildAccounts } from "../services/credits/guild-accounts.ts";
import type { CommandOverrides } from "../services/settings/command-access.ts";
import { changeSettings, type ChangeSettingsDeps } from "./framework/change-settings.ts";
import {
	booleanOption,
	channelOption,
	integerOption,
	roleOption,
	stringOption,
	userOption,
} from "./framework/command-options.ts";
import { defineCommandGroup, subcommand, type SlashInteraction } from "./framework/command.ts";
import { MANAGERS } from "./framework/invoking-member.ts";
import {
	changeOfMediaType,
	changeOfMember,
	changeOfRole,
	changeOfServer,
	TIME_ZONE_CHARS_MAX,
	type ReadQuotaUpdate,
} from "./quota-options.ts";
import { quotaPanel } from "./quota-panel.ts";
import { POST_CHANNEL_TYPES } from "../discord/channel-types.ts";
import { localizedChoice, MEDIA_TYPE_CHOICES } from "./framework/localize.ts";

interface QuotaDeps extends ChangeSettingsDeps {
	readonly accounts: GuildAccounts;
	readonly commandOverrides: CommandOverrides;
}

const credits = integerOption("credits", "option.quotaCredits", { min_value: 0, max_value: LIMIT_CREDITS_MAX });
const unlimited = booleanOption("unlimited", "option.quotaUnlimited");
const clear = booleanOption("clear", "option.quotaClear");
const per = stringOption("per", "option.quotaPer", {
	choices: PERIODS.map((period) => localizedChoice(`choice.${period}`, period)),
});

export const quota = defineCommandGroup<QuotaDeps>(
	"quota",
	"command.quota",
	[
		subcommand("show", "command.quotaShow", [], async (interaction, { accounts, settings }: QuotaDeps) => {
			await interaction.editReply(
				await quotaPanel(interaction, await settings.read(interaction.guildId), { accounts }),
			);
		}),
		subcommand(
			"server",
			"command.quotaServer",
			[
				credits,
				per,
				unlimited,
				stringOption("unused", "option.quotaUnused", {
					choices: [localizedChoice("choice.expire", "expire"), localizedChoice("choice.carryOver", "carryOver")],
				}),
				stringOption("time_zone", "option.quotaTimeZone", { max_length: TIME_ZONE_CHARS_MAX, autocomplete: true }),
				channelOption("warn_channel", "option.quotaWarnChannel", { channel_types: POST_CHANNEL_TYPES }),
				booleanOption("warnings_off", "option.quotaNoWarnings"),
			],
			changing(changeOfServer),
		),
		subcommand(
			"role",
			"command.quotaRole",
			[roleOption("role", "option.quotaRole", { required: true }), credits, unlimited, clear],
			changing(changeOfRole),
		),
		subcommand(
			"member",
			"command.quotaMember",
			[userOption("member", "option.quotaMember"), credits, unlimited, clear, per],
			changing(changeOfMember),
		),
		subcommand(
			"media_type",
			"command.quotaMediaType",
			[
				stringOption("media_type", "option.quotaMediaType", { required: true, choices: MEDIA_TYPE_CHOICES }),
				credits,
				clear,
			],
			changing(changeOfMediaType),
		),
	],
	{
		audience: MANAGERS,
		async autocomplete(interaction) {
			const zones = searchTimeZones(interaction.options.getFocused());
			await interaction.respond(zones.map((zone) => ({ name: zone, value: zone })));
		},
	},
);

/** Returns the subcommand that makes the change of its options, and shows the limits. */
function changing(readChange: ReadQuotaUpdate) {
	return async (interaction: SlashInteraction, deps: QuotaDeps, logger: Logger): Promise<void> => {
		const after = await changeSettings(interaction, readChange(interaction), deps, logger);
		await interaction.editReply(await quotaPanel(interaction, after, deps));
	};
}
