// Installed in the place of werift, the optional WebRTC library of node-av, so that an import of it fails with this message.
// The names are those that node-av imports: without them the import would fail earlier, for the first name that is missing.
const leftOut =
	"WebRTC is left out of this installation (tools/no-webrtc): node-av/webrtc and its RTP streams cannot be used";

export const isRtcp = fail();
export const MediaStreamTrack = undefined;
export const RTCIceCandidate = undefined;
export const RTCPeerConnection = undefined;
export const RTCRtpCodecParameters = undefined;
export const RTCSessionDescription = undefined;
export const RtpPacket = undefined;

function fail() {
	throw new Error(leftOut);
}
