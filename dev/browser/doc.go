// Package browser opens pages in Chromium for tests: on any size of screen, in light and dark, with their scripts. It
// controls the browser through a pipe (the DevTools protocol), so nothing listens on a port.
//
//	b, err := browser.Start(ctx)
//	if errors.Is(err, browser.ErrUnavailable) {
//		t.Skip(err)
//	}
//	defer b.Close()
//	err = b.Open("file:///…/index.html", browser.Screen{Width: 390, Height: 844, Dark: true})
//	png, err := b.Screenshot()
//
// Chromium or Chrome must be installed; [Find] documents where it looks. In CI, on Debian as root, it is installed
// automatically.
package browser
