import { useSignal } from "@preact/signals";
import {
	Action,
	CheckField,
	LanguageField,
	NumberField,
	Section,
	type SectionProps,
	SelectField,
} from "./admin-panel-fields.tsx";
import { usePage } from "./app-context.ts";

const GUILDS_MAX = 100_000;
const BOOSTS = {
	"0": "none, 10 MB a file",
	"1": "level 1, 10 MB",
	"2": "level 2, 50 MB",
	"3": "level 3, 100 MB",
};
const ACCESS = {
	all: "may do everything",
	noFiles: "may not attach files",
	readOnly: "may not post",
	none: "does not see it",
};

/** The open guild: boosts, language, the bot's access to each channel; and the number of guilds. */
export function GuildSection({ state, change }: SectionProps) {
	const { guild, channels, guilds } = usePage();
	const count = useSignal(state.guildCount);
	return (
		<Section title={guild.name}>
			<SelectField
				label="Boosts"
				value={String(state.guildSettings.boostLevel)}
				options={BOOSTS}
				onChange={(level) => change("PUT", "/guild", { boostLevel: Number(level) })}
			/>
			<LanguageField
				label="Language of the server"
				value={state.guildSettings.locale}
				onChange={(locale) => change("PUT", "/guild", { locale })}
			/>
			{channels
				.filter(({ isDirect }) => !isDirect)
				.map(({ id, name }) => (
					<SelectField
						key={id}
						label={`Bot in #${name}`}
						value={state.access.find(({ channelId }) => channelId === id)?.access ?? "all"}
						options={ACCESS}
						onChange={(access) => change("PUT", "/access", { channelId: id, access })}
					/>
				))}
			<CheckField
				label="The bot user is a member of the server"
				isOn={state.isBotMember}
				onChange={(isMember) => change("PUT", "/membership", { isMember })}
			/>
			<div class="panel-line">
				<NumberField
					label="Servers"
					min={guilds.length}
					max={GUILDS_MAX}
					value={count.value}
					onChange={(value) => (count.value = value)}
				/>
				<Action label="Set" run={() => change("PUT", "/guilds", { count: count.value })} />
			</div>
		</Section>
	);
}
