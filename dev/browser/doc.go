// Package browser opens pages in Chromium for the tests of the documentation site: on screens of any size, in light
// and dark, and with their scripts. It controls the browser through a pipe with the DevTools protocol, so nothing
// listens on a port.
//
//	b, err := browser.Start(ctx)
//	if errors.Is(err, browser.ErrUnavailable) {
//		t.Skip(err)
//	}
//	defer b.Close()
//	err = b.Open("file:///…/index.html", browser.Screen{Width: 390, Height: 844, Dark: true})
//	png, err := b.Screenshot()
//
// It needs Chromium or Chrome; see [Find]. When CI=true it installs Chromium where it can, on Debian and as root.
package browser
