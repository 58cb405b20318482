/** Builds and extends XMP packets that say that a file is generated. No I/O. */
import { UNSUPPORTED, type Edit, type MarkPlan } from "./file-edits.ts";

/** The origin that a marked file states. */
export interface ProvenanceMark {
	/** A term of IPTC: created by a trained model, or by a fixed algorithm. */
	readonly sourceType: "trainedAlgorithmicMedia" | "algorithmicMedia";
	readonly modelName: string;
	readonly botName: string;
	/** Present only if the settings of the server include prompts in files. */
	readonly prompt?: string;
}

const SOURCE_TYPE_URL = "http://cv.iptc.org/newscodes/digitalsourcetype/";
const NAMESPACE = "http://iptc.org/std/Iptc4xmpExt/2008-02-29/";
const SOURCE_TYPE_PROPERTY = "DigitalSourceType";
const RDF_END = "</rdf:RDF>";
/** Larger packets of a file are not read. */
export const XMP_BYTES_MAX = 1024 * 1024;
/** The most bytes around a packet: its headers, and the extended header that a WebP file may need. */
const CONTAINER_BYTES_MAX = 256;

/** Returns a packet with the mark alone. */
export function xmpOf(mark: ProvenanceMark): string {
	return [
		'<?xpacket begin="\uFEFF" id="W5M0MpCehiHzreSzNTczkc9d"?>',
		'<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">',
		descriptionOf(mark),
		`${RDF_END}</x:xmpmeta>`,
		'<?xpacket end="r"?>',
	].join("");
}

/**
 * Plans the mark of a file with a packet, unless the file also has a manifest. `editsOf` returns the edits for the extended packet;
 * `undefined` if the file has no room for it.
 */
export function planOfXmp(
	xmp: string,
	mark: ProvenanceMark,
	editsOf: (extended: string) => readonly Edit[] | undefined,
): MarkPlan {
	if (hasSourceType(xmp)) return { kind: "keep", found: "iptc" };
	const extended = addToXmp(xmp, mark);
	const edits = extended === undefined ? undefined : editsOf(extended);
	return edits ? { kind: "mark", edits } : UNSUPPORTED;
}

/** Returns whether a packet names its digital source type. */
function hasSourceType(xmp: string): boolean {
	return xmp.includes(SOURCE_TYPE_PROPERTY);
}

/** Adds the mark to a packet without a source type. Returns `undefined` if the text is not a packet. */
function addToXmp(xmp: string, mark: ProvenanceMark): string | undefined {
	const at = xmp.lastIndexOf(RDF_END);
	return at === -1 ? undefined : xmp.slice(0, at) + descriptionOf(mark) + xmp.slice(at);
}

/** Returns the most bytes that a mark adds to a file. */
export function bytesOfMark(mark: ProvenanceMark): number {
	return Buffer.byteLength(xmpOf(mark)) + CONTAINER_BYTES_MAX;
}

function descriptionOf({ sourceType, modelName, botName, prompt }: ProvenanceMark): string {
	const properties = [
		`<Iptc4xmpExt:${SOURCE_TYPE_PROPERTY}>${SOURCE_TYPE_URL}${sourceType}</Iptc4xmpExt:${SOURCE_TYPE_PROPERTY}>`,
		`<Iptc4xmpExt:AISystemUsed>${escaped(modelName)}</Iptc4xmpExt:AISystemUsed>`,
		...(prompt === undefined
			? []
			: [`<Iptc4xmpExt:AIPromptInformation>${escaped(prompt)}</Iptc4xmpExt:AIPromptInformation>`]),
		`<xmp:CreatorTool>${escaped(botName)}</xmp:CreatorTool>`,
	];
	const namespaces = `xmlns:Iptc4xmpExt="${NAMESPACE}" xmlns:xmp="http://ns.adobe.com/xap/1.0/"`;
	return `<rdf:Description rdf:about="" ${namespaces}>${properties.join("")}</rdf:Description>`;
}

/** Escapes a text for XML, without the characters that XML 1.0 forbids. */
function escaped(text: string): string {
	return text
		.toWellFormed()
		.replaceAll(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, "")
		.replaceAll("&", "&amp;")
		.replaceAll("<", "&lt;")
		.replaceAll(">", "&gt;");
}
