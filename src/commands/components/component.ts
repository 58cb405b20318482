import type {
	ButtonInteraction,
	ChannelSelectMenuInteraction,
	MessageComponentInteraction,
	ModalSubmitInteraction,
	RoleSelectMenuInteraction,
	StringSelectMenuInteraction,
	UserSelectMenuInteraction,
} from "discord.js";
import type { Logger } from "pino";
import type { CustomId } from "../../discord/custom-id.ts";
import { UserError } from "../../services/user-error.ts";
import type { InGuild, Services } from "../command.ts";

/** What people press, choose in, and fill in. */
interface Kinds {
	readonly button: ButtonInteraction<InGuild>;
	readonly stringSelect: StringSelectMenuInteraction<InGuild>;
	readonly userSelect: UserSelectMenuInteraction<InGuild>;
	readonly roleSelect: RoleSelectMenuInteraction<InGuild>;
	readonly channelSelect: ChannelSelectMenuInteraction<InGuild>;
	readonly modal: ModalSubmitInteraction<InGuild>;
}
export type ComponentKind = keyof Kinds;
export type ComponentInteraction = MessageComponentInteraction | ModalSubmitInteraction;

/**
 * One kind of button, menu or form: its own file, and one line in `index.ts`. It answers within Discord's three seconds, as
 * a command does, and checks who pressed it: that it is there to be pressed allows nothing.
 */
export interface Component {
	readonly kind: ComponentKind;
	/** The first word of its custom ids; one button, one menu and one form may have the same. */
	readonly name: string;
	/** Whatever it throws is worded and logged by `dispatch.ts`, to whoever pressed alone. */
	execute(interaction: ComponentInteraction, services: Services, logger: Logger): Promise<void>;
}

/** A control whose `execute` gets the values of its custom id; what these do not stand in is refused. */
export function defineComponent<Kind extends ComponentKind, Values>(
	kind: Kind,
	ids: CustomId<Values>,
	execute: (interaction: Kinds[Kind], values: Values, services: Services, logger: Logger) => Promise<void>,
): Component {
	return {
		kind,
		name: ids.name,
		async execute(interaction, services, logger) {
			const values = ids.read(interaction.customId);
			if (values === undefined) throw new UserError({ key: "controlUnknown" });
			// `dispatch.ts` has found it by the interaction's own kind.
			await execute(interaction as unknown as Kinds[Kind], values, services, logger);
		},
	};
}

/** `undefined` for a kind that this bot never sends. */
export function kindOf(interaction: ComponentInteraction): ComponentKind | undefined {
	if (interaction.isModalSubmit()) return "modal";
	if (interaction.isButton()) return "button";
	if (interaction.isStringSelectMenu()) return "stringSelect";
	if (interaction.isUserSelectMenu()) return "userSelect";
	if (interaction.isRoleSelectMenu()) return "roleSelect";
	return interaction.isChannelSelectMenu() ? "channelSelect" : undefined;
}
