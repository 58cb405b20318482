/** Renders the tree of `markdown.ts`. Text becomes text nodes, never markup. */
import { useSignal } from "@preact/signals";
import { type ComponentChildren, createContext } from "preact";
import { useContext, useMemo } from "preact/hooks";
import { useApp, useSnapshot } from "./app-context.ts";
import { emojiText } from "./emoji-text.ts";
import { type Block, type Inline, type MentionKind, parseInline, parseMarkdown } from "./markdown.ts";
import { mentionText } from "./message-text.ts";
import { discordTarget } from "./safe-urls.ts";
import { Timestamp } from "./time-text.tsx";

/** The users and roles that the text around a mention pings. */
export const Pings = createContext<ReadonlySet<string>>(new Set());

interface MarkdownTextProps {
	readonly text: string;
	/** Follows the last paragraph. */
	readonly children?: ComponentChildren;
}

export function MarkdownText({ text, children }: MarkdownTextProps) {
	const blocks = useMemo(() => parseMarkdown(text), [text]);
	if (blocks.length === 0 && !children) return null;
	const lastType = blocks.at(-1)?.type;
	const isInline = lastType === "paragraph" || lastType === "subtext";
	return (
		<div class="markdown">
			{blocks.map((block, at) => (
				<BlockView key={at} block={block}>
					{isInline && at === blocks.length - 1 && children}
				</BlockView>
			))}
			{!isInline && children}
		</div>
	);
}

/** Text without blocks. */
export function InlineMarkdown({ text }: { text: string }) {
	return <Inlines nodes={useMemo(() => parseInline(text), [text])} />;
}

function BlockView({ block, children }: { block: Block; children?: ComponentChildren }) {
	switch (block.type) {
		case "paragraph":
		case "subtext":
			return (
				<p class={block.type}>
					<Inlines nodes={block.children} />
					{children}
				</p>
			);
		case "heading":
			return (
				<p class={`heading heading-${block.level}`} role="heading" aria-level={block.level + 2}>
					<Inlines nodes={block.children} />
				</p>
			);
		case "quote":
			return (
				<blockquote>
					<Blocks blocks={block.children} />
				</blockquote>
			);
		case "list": {
			const items = block.items.map((item, at) => (
				<li key={at}>
					<Blocks blocks={item} />
				</li>
			));
			return block.ordered ? <ol start={block.start}>{items}</ol> : <ul>{items}</ul>;
		}
		case "codeBlock":
			return (
				<pre tabIndex={0} aria-label={block.language ? `Code, ${block.language}` : "Code"}>
					<code>{block.text}</code>
				</pre>
			);
	}
}

function Blocks({ blocks }: { blocks: readonly Block[] }) {
	return blocks.map((block, at) => <BlockView key={at} block={block} />);
}

function Inlines({ nodes }: { nodes: readonly Inline[] }) {
	return nodes.map((node, at) => <InlineView key={at} node={node} />);
}

const TAGS = { bold: "strong", italic: "em", underline: "u", strike: "s", spoiler: SpoilerText } as const;

function InlineView({ node }: { node: Inline }) {
	switch (node.type) {
		case "text":
			return node.text;
		case "code":
			return <code>{node.text}</code>;
		case "link":
			return (
				<Link url={node.url}>
					<Inlines nodes={node.children} />
				</Link>
			);
		case "mention":
			return <Mention kind={node.kind} id={node.id} />;
		case "command":
			// Browsers allow no line break before a slash: a list without spaces, as in Japanese, would break inside of words.
			return (
				<>
					<wbr />
					<CommandMention path={node.name} />
				</>
			);
		case "emoji":
			return emojiText(node);
		case "timestamp":
			return <Timestamp seconds={node.seconds} style={node.style} />;
		default: {
			const Tag = TAGS[node.type];
			return (
				<Tag>
					<Inlines nodes={node.children} />
				</Tag>
			);
		}
	}
}

/** The address must have passed `safeUrl`, or come from the parser. */
export function Link({ url, children }: { url: string; children: ComponentChildren }) {
	return (
		<a {...useLinkAttributes(url)} title={url}>
			{children}
		</a>
	);
}

/** The attributes of a link to the web. One to a message of Discord leads to this message here. */
export function useLinkAttributes(url: string) {
	const { openMessage } = useApp();
	const target = discordTarget(url);
	const onClick = (event: Event): void => {
		if (!target) return;
		event.preventDefault();
		openMessage(target);
	};
	return { href: url, target: "_blank", rel: "noopener noreferrer", onClick };
}

function CommandMention({ path }: { path: string }) {
	const { composer } = useApp();
	return (
		<button type="button" class="mention" onClick={() => composer.openCommand(path, [])}>
			/{path}
		</button>
	);
}

/** Only a mention that pinged looks like a ping. */
function Mention({ kind, id }: { kind: MentionKind; id: string }) {
	const pings = useContext(Pings);
	const snapshot = useSnapshot();
	const { openChannel } = useApp();
	if (kind === "everyone" && !pings.has(id)) return `@${id}`;
	if (kind === "channel" && snapshot.channels.some((channel) => channel.id === id))
		return (
			<button type="button" class="mention" onClick={() => openChannel(id)}>
				{mentionText(kind, id, snapshot)}
			</button>
		);
	const isQuiet = kind !== "channel" && !pings.has(id);
	return (
		<span class="mention" data-quiet={isQuiet || undefined} title={isQuiet ? "Pings nobody" : undefined}>
			{mentionText(kind, id, snapshot)}
		</span>
	);
}

function SpoilerText({ children }: { children: ComponentChildren }) {
	const isShown = useSignal(false);
	const button = { role: "button", "aria-label": "Spoiler, press to show", "aria-expanded": false } as const;
	return (
		<span
			class="spoiler"
			{...(!isShown.value && button)}
			// The focus stays here when the text is shown.
			tabIndex={isShown.value ? -1 : 0}
			onClick={() => (isShown.value = true)}
			onKeyDown={(event) => {
				if (event.key !== "Enter" && event.key !== " ") return;
				event.preventDefault();
				isShown.value = true;
			}}
		>
			<span inert={!isShown.value}>{children}</span>
		</span>
	);
}
