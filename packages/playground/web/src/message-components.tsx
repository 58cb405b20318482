/** The components of a message: buttons, menus, and the layouts of components v2. */
import { useSignal } from "@preact/signals";
import type {
	APIAttachment,
	APIButtonComponent,
	APIComponentInContainer,
	APIComponentInMessageActionRow,
	APIMessageTopLevelComponent,
	APIUnfurledMediaItem,
} from "discord-api-types/v10";
import { fileNameOf } from "../../src/file-name.ts";
import { errorText } from "./api.ts";
import { useApp, useSnapshot } from "./app-context.ts";
import { Attachments, Spoiler } from "./attachments.tsx";
import { ATTACHMENT_SPOILER, BUTTON, COMPONENT } from "./discord-constants.ts";
import { hexColor } from "./embed.tsx";
import { emojiText } from "./emoji-text.ts";
import { Icon } from "./icon.tsx";
import { Link, MarkdownText, useLinkAttributes } from "./markdown-text.tsx";
import { isOwnMedia, safeUrl } from "./safe-urls.ts";
import { SelectMenu } from "./select-menu.tsx";

const LARGE_SPACING = 2;
const BUTTON_STYLES = ["", "primary", "secondary", "success", "danger", "link"];

interface ControlContext {
	/** The custom id of the control that waits for the bot. */
	readonly busyControl: string | null;
	/** Changes with every edit of the message. */
	readonly version: string;
	/** `values`: the choices of a menu; null for a button. */
	readonly onPress: (customId: string, values: readonly string[] | null) => void;
}

interface ComponentsProps {
	readonly components: readonly (APIMessageTopLevelComponent | APIComponentInContainer)[];
	readonly context: ControlContext;
}

export function Components({ components, context }: ComponentsProps) {
	return components.map((component, at) => <Component key={at} component={component} context={context} />);
}

function Component({
	component,
	context,
}: {
	component: ComponentsProps["components"][number];
	context: ControlContext;
}) {
	switch (component.type) {
		case COMPONENT.row:
			return (
				<div class="action-row">
					{component.components.map((control, at) => (
						<Control key={at} control={control} context={context} />
					))}
				</div>
			);
		case COMPONENT.text:
			return <MarkdownText text={component.content} />;
		case COMPONENT.separator:
			return (
				<hr
					class="separator"
					data-plain={component.divider === false || undefined}
					data-large={component.spacing === LARGE_SPACING || undefined}
				/>
			);
		case COMPONENT.section:
			return (
				<div class="row section">
					<div class="section-text">
						<Components components={component.components} context={context} />
					</div>
					{component.accessory.type === COMPONENT.button ? (
						<Control control={component.accessory} context={context} />
					) : (
						<div class="section-picture">
							<Media items={[component.accessory]} />
						</div>
					)}
				</div>
			);
		case COMPONENT.gallery:
			return <Media items={component.items} />;
		case COMPONENT.file:
			return <Media items={[{ media: component.file, spoiler: component.spoiler, size: component.size }]} />;
		case COMPONENT.container: {
			const { accent_color: color } = component;
			const style = typeof color === "number" ? { "--bar": hexColor(color) } : {};
			const content = (
				<div class="container" style={style}>
					<Components components={component.components} context={context} />
				</div>
			);
			return component.spoiler ? <Spoiler>{content}</Spoiler> : content;
		}
		default:
			return null;
	}
}

function Control({ control, context }: { control: APIComponentInMessageActionRow; context: ControlContext }) {
	const { busyControl, version, onPress } = context;
	if (control.type === COMPONENT.button) {
		if (control.style === BUTTON.premium) return <BuyButton button={control} />;
		if (control.style === BUTTON.link) return <LinkButton button={control} />;
		return <PressButton button={control} context={context} />;
	}
	return (
		<SelectMenu
			key={control.custom_id}
			select={control}
			version={version}
			busy={busyProps(busyControl, control.custom_id)}
			onChoose={(values) => onPress(control.custom_id, values)}
		/>
	);
}

/** While one control of a message waits for the bot, none of them can be pressed. */
function busyProps(busyControl: string | null, customId: string) {
	return { "aria-disabled": busyControl !== null || undefined, "aria-busy": busyControl === customId || undefined };
}

function ButtonLabel({ button }: { button: APIButtonComponent }) {
	const emoji = "emoji" in button ? button.emoji : undefined;
	const label = "label" in button ? (button.label ?? "") : "";
	if (!emoji?.name) return label || "Button";
	return (
		<>
			{emojiText(emoji)} {label}
		</>
	);
}

type PressableButton = Extract<APIButtonComponent, { custom_id: string }>;

function PressButton({
	button,
	context: { busyControl, onPress },
}: {
	button: PressableButton;
	context: ControlContext;
}) {
	const busy = busyProps(busyControl, button.custom_id);
	const isDisabled = button.disabled === true || busyControl !== null;
	return (
		<button
			type="button"
			class={`button ${BUTTON_STYLES[button.style] ?? "secondary"}`}
			{...busy}
			// A disabled element would lose the focus, for example a button of a page that the bot disables after the press.
			aria-disabled={isDisabled || undefined}
			onClick={() => {
				if (!isDisabled) onPress(button.custom_id, null);
			}}
		>
			<ButtonLabel button={button} />
		</button>
	);
}

function LinkButton({ button }: { button: Extract<APIButtonComponent, { url: string }> }) {
	const url = safeUrl(button.url);
	const attributes = useLinkAttributes(url ?? "");
	return (
		<a class="button link" {...(url !== null && attributes)}>
			<ButtonLabel button={button} />
			<Icon name="open" />
		</a>
	);
}

/** Buys an item of the shop: the bot receives the purchase, not an interaction. */
function BuyButton({ button }: { button: Extract<APIButtonComponent, { sku_id: string }> }) {
	const { api } = useApp();
	const { skus, me, guild } = useSnapshot();
	const name = skus.find(({ id }) => id === button.sku_id)?.name ?? "an item that is not for sale";
	const label = useSignal(`Buy ${name}`);
	return (
		<button
			type="button"
			class="button primary"
			disabled={button.disabled === true}
			onClick={() => {
				const bought = api.admin(guild.id).buy({ skuId: button.sku_id, userId: me.user.id });
				bought.then(
					() => (label.value = `Bought ${name}`),
					(error) => (label.value = errorText(error)),
				);
			}}
		>
			{label}
		</button>
	);
}

interface MediaItem {
	readonly media: APIUnfurledMediaItem;
	readonly description?: string | null | undefined;
	readonly spoiler?: boolean | undefined;
	/** Bytes; known for file components only. */
	readonly size?: number | undefined;
}

/** Files of the playground are shown. Others stay links: the page fetches nothing from elsewhere. */
function Media({ items }: { items: readonly MediaItem[] }) {
	const own = items.filter(({ media }) => isOwnMedia(new URL(media.url, location.href)));
	const others = items.flatMap((item) => (own.includes(item) ? [] : (safeUrl(item.media.url) ?? [])));
	return (
		<div>
			{own.length > 0 && <Attachments attachments={own.map(asAttachment)} />}
			{others.map((url) => (
				<p key={url} class="note">
					<Link url={url}>{url}</Link>
				</p>
			))}
		</div>
	);
}

function asAttachment({ media, description, spoiler, size = 0 }: MediaItem): APIAttachment {
	return {
		id: media.attachment_id ?? media.url,
		filename: fileNameOf(media.url),
		size,
		url: media.url,
		proxy_url: media.proxy_url ?? media.url,
		width: media.width ?? null,
		height: media.height ?? null,
		flags: spoiler ? ATTACHMENT_SPOILER : 0,
		...(media.content_type && { content_type: media.content_type }),
		...(description && { description }),
	};
}
