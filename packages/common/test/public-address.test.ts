import { expect, test } from "vitest";
import { isPublicAddress } from "../src/public-address.ts";

test.each(["93.184.216.34", "2606:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808"])("%s is public", (address) =>
	expect(isPublicAddress(address)).toBe(true),
);

test.each([
	"0.0.0.0",
	"127.0.0.1",
	"169.254.169.254",
	"192.168.1.1",
	"224.0.0.1",
	"::",
	"::1",
	"::127.0.0.1",
	"::ffff:127.0.0.1",
	"0:0:0:0:0:ffff:10.0.0.1",
	"64:ff9b::7f00:1",
	"64:ff9b:1::1",
	"fc00::1",
	"fe80::1",
	"fe80::1%eth0",
	"ff02::1",
	"4000::1",
	"3fff:fff::1",
	"::ffff:8.8.8.8%eth0",
	"::ffff:0:8.8.8.8",
	"127.1",
	"8.8.2056",
	"0x8080808",
	"134744072",
	"010.8.8.8",
	"8.8.8.8/32",
	" 8.8.8.8",
	"localhost",
	"",
])("%j is not public", (address) => expect(isPublicAddress(address)).toBe(false));
