package browser

import (
	"os"
	"strings"

	"github.com/mxschmitt/playwright-go"
)

// Chromium heeds only the last --disable-features and the last --blink-settings
// on its command line, and ours come after Playwright's: so Playwright's own
// values (chromiumSwitches in its coreBundle.js, 1.64.1) are repeated here.
var (
	playwrightFeatures = []string{
		"AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose", "DialMediaRouteProvider",
		"GlobalMediaControls", "HttpsUpgrades", "LensOverlay", "MediaRouter", "PaintHolding",
		"ThirdPartyStoragePartitioning", "BlockOriginHeaderModificationOnRedirect",
		"AvoidCorsURLLoaderRestartOnRedirect", "Translate", "AutoDeElevate", "OptimizationHints",
		"NetworkTimeServiceQuerying", "AimEnabled", "msForceBrowserSignIn",
		"msEdgeUpdateLaunchServicesPreferredVersion",
	}
	playwrightBlink = []string{
		"primaryHoverType=2", "availableHoverTypes=2", "primaryPointerType=4", "availablePointerTypes=4",
	}
)

// Features of the address bar that keep two renderers alive for nothing: 56 MB.
var idleFeatures = []string{"WebUIOmniboxPopup", "WebUIOmniboxAimPopup"}

// switches are the command-line arguments of ours for a Chromium that is, or is
// not, to be seen. Pictures, media and fonts are kept out by Chromium itself,
// which costs nothing per request, and only where nobody looks.
func switches(headless bool) []string {
	args := []string{
		"--disable-features=" + strings.Join(append(append([]string{}, playwrightFeatures...), idleFeatures...), ","),
		"--noerrdialogs",
		// A crashed Notifio must not be followed by a bubble that offers to restore pages.
		"--hide-crash-restore-bubble",
	}
	if !headless {
		return args
	}
	return append(args,
		"--blink-settings="+strings.Join(append(append([]string{}, playwrightBlink...), "imagesEnabled=false"), ","),
		"--disable-remote-fonts",
		"--disable-software-rasterizer",
		"--autoplay-policy=user-gesture-required",
		// Tall, so that lists that fill as they are scrolled show more of themselves.
		"--window-size=1280,1600",
	)
}

// unwanted are switches of Playwright's that Notifio does without: popups are
// left to Chromium's own blocker.
var unwanted = []string{"--disable-popup-blocking"}

// sandboxed says whether Chromium's sandbox can be on: it cannot for root.
func sandboxed() bool { return os.Geteuid() != 0 }

// launchOptions are the options of the persistent context.
func launchOptions(executable string, headless bool, l Limits) playwright.BrowserTypeLaunchPersistentContextOptions {
	no := playwright.Bool(false)
	return playwright.BrowserTypeLaunchPersistentContextOptions{
		ExecutablePath:    playwright.String(executable),
		Headless:          playwright.Bool(headless),
		ChromiumSandbox:   playwright.Bool(sandboxed()),
		Args:              switches(headless),
		IgnoreDefaultArgs: unwanted,
		AcceptDownloads:   no,
		NoViewport:        playwright.Bool(true),
		// Ctrl-C and a closing terminal are answered by Notifio, in its own order.
		HandleSIGINT: no, HandleSIGTERM: no, HandleSIGHUP: no,
		Timeout: playwright.Float(float64(l.Launch.Milliseconds())),
	}
}
