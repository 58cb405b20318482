import type {
	BaseInteraction,
	ButtonInteraction,
	ChannelSelectMenuInteraction,
	MessageComponentInteraction,
	ModalSubmitInteraction,
	StringSelectMenuInteraction,
} from "discord.js";
import type { CustomIdCodec } from "../../discord/custom-id.ts";
import { moreButtonsCustomId } from "../../discord/task-buttons.ts";
import { UserError } from "../../services/user-error.ts";
import type { InGuild } from "./command.ts";
import type { CommandServices } from "../command-services.ts";

/** The interaction of each kind of component. */
interface InteractionByKind {
	readonly button: ButtonInteraction<InGuild>;
	readonly stringSelect: StringSelectMenuInteraction<InGuild>;
	readonly channelSelect: ChannelSelectMenuInteraction<InGuild>;
	readonly modal: ModalSubmitInteraction<InGuild>;
}
export type ComponentKind = keyof InteractionByKind;
export type ComponentInteraction = MessageComponentInteraction | ModalSubmitInteraction;

/** Throws a `UserError` for members who may not use a component. */
export type AuthorizePress = (interaction: BaseInteraction<InGuild>, services: CommandServices) => void | Promise<void>;

/**
 * A button, select menu or modal, with an entry in the list of `index.ts`. It answers within Discord's three seconds, as a
 * command does, and checks the member's permission itself: a visible button is no permission.
 */
export interface Component {
	readonly kind: ComponentKind;
	/** The first word of the custom ids. A button, a menu and a modal may have the same name. */
	readonly name: string;
	/** `dispatch.ts` catches what it throws, replies with a translated text (a denial to the member alone), and logs it. */
	readonly execute: (interaction: ComponentInteraction, services: CommandServices) => Promise<void>;
}

/** Each creates a component whose `execute` gets the values of its custom id. Rejects custom ids that do not parse. */
export const defineButton = definerOf("button");
export const defineMenu = definerOf("stringSelect");
export const defineChannelMenu = definerOf("channelSelect");
export const defineModal = definerOf("modal");

function definerOf<Kind extends ComponentKind>(kind: Kind) {
	return <Values>(
		customIdCodec: CustomIdCodec<Values>,
		execute: (interaction: InteractionByKind[Kind], values: Values, services: CommandServices) => Promise<void>,
	): Component => ({
		kind,
		name: customIdCodec.name,
		async execute(interaction, services) {
			const values = customIdCodec.decode(pressedCustomIdOf(interaction));
			if (values === undefined) throw new UserError({ key: "request.unknownButton" });
			// `dispatch.ts` selects the component by the kind of the interaction.
			await execute(interaction as unknown as InteractionByKind[Kind], values, services);
		},
	});
}

/** Returns the custom id that was used: in a menu of buttons, that of the chosen button. */
export function pressedCustomIdOf(interaction: ComponentInteraction): string {
	const isChoice = interaction.isMessageComponent() && interaction.isStringSelectMenu() && isButtonMenu(interaction);
	return (isChoice ? interaction.values[0] : undefined) ?? interaction.customId;
}

function isButtonMenu({ customId }: Pick<StringSelectMenuInteraction, "customId">): boolean {
	return moreButtonsCustomId.decode(customId) !== undefined;
}

/** Returns the kind of a component; `undefined` for one that this bot never sends. A choice in a menu of buttons counts as a button. */
export function kindOf(interaction: ComponentInteraction): ComponentKind | undefined {
	if (interaction.isModalSubmit()) return "modal";
	if (interaction.isButton()) return "button";
	if (interaction.isStringSelectMenu()) return isButtonMenu(interaction) ? "button" : "stringSelect";
	return interaction.isChannelSelectMenu() ? "channelSelect" : undefined;
}
