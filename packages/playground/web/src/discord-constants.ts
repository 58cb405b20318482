/** Numbers of Discord's API. The enums of discord-api-types would add 110 KB to the page. */

export const COMMAND = { chatInput: 1, user: 2, message: 3 } as const;

export const OPTION = {
	subcommand: 1,
	subcommandGroup: 2,
	string: 3,
	integer: 4,
	boolean: 5,
	user: 6,
	channel: 7,
	role: 8,
	mentionable: 9,
	number: 10,
	attachment: 11,
} as const;

export const COMPONENT = {
	row: 1,
	button: 2,
	stringSelect: 3,
	textInput: 4,
	userSelect: 5,
	roleSelect: 6,
	channelSelect: 8,
	section: 9,
	text: 10,
	gallery: 12,
	file: 13,
	separator: 14,
	container: 17,
	label: 18,
	fileUpload: 19,
	radioGroup: 21,
	checkboxGroup: 22,
	checkbox: 23,
} as const;

export const BUTTON = { link: 5, premium: 6 } as const;
export const CHANNEL = { text: 0, direct: 1, publicThread: 11 } as const;
export const MESSAGE = { reply: 19, command: 20, contextMenuCommand: 23, pollResult: 46 } as const;
export const MESSAGE_FLAG = { ephemeral: 1 << 6, loading: 1 << 7, componentsV2: 1 << 15 } as const;
export const ATTACHMENT_SPOILER = 1 << 5;
export const PARAGRAPH_STYLE = 2;
export const PERMISSION = { administrator: 1n << 3n, manageServer: 1n << 5n, manageMessages: 1n << 13n } as const;
