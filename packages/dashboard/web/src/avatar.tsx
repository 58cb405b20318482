/** The avatar of a member or the icon of a server; the first letter if there is none. */
interface AvatarProps {
	readonly name: string;
	readonly url: string | null;
	readonly isSquare?: boolean;
}

export function Avatar({ name, url, isSquare = false }: AvatarProps) {
	const shape = isSquare ? "avatar square" : "avatar";
	if (url !== null) return <img class={shape} src={url} alt="" width={32} height={32} loading="lazy" />;
	return (
		<span class={shape} aria-hidden="true">
			{Array.from(name)[0]?.toUpperCase()}
		</span>
	);
}
