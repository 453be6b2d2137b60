package browser

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// A Screen is what a page is shown on.
type Screen struct {
	Width, Height int  // CSS pixels
	Dark          bool // the reader prefers dark colours
	Phone         bool // a phone: two pixels for a CSS pixel, and pages scale to its width
	Print         bool // paper
}

// Open opens a page and waits until it is loaded.
func (b *Browser) Open(url string, s Screen) error {
	if err := b.open(url, s); err != nil {
		return fmt.Errorf("open %s: %w", url, err)
	}
	return nil
}

func (b *Browser) open(url string, s Screen) error {
	b.Complaints = nil
	scale := 1
	if s.Phone {
		scale = 2
	}
	scheme, media := "light", ""
	if s.Dark {
		scheme = "dark"
	}
	if s.Print {
		media = "print"
	}
	metrics := args{"width": s.Width, "height": s.Height, "deviceScaleFactor": scale, "mobile": s.Phone}
	if err := b.call("Emulation.setDeviceMetricsOverride", metrics, nil); err != nil {
		return err
	}
	feature := args{"name": "prefers-color-scheme", "value": scheme}
	if err := b.call("Emulation.setEmulatedMedia", args{"media": media, "features": []args{feature}}, nil); err != nil {
		return err
	}
	var started struct{ ErrorText string }
	if err := b.call("Page.navigate", args{"url": url}, &started); err != nil {
		return err
	}
	if started.ErrorText != "" {
		return errors.New(started.ErrorText)
	}
	const loading = `location.href !== "about:blank" && document.readyState`
	for deadline := time.Now().Add(callLimit); ; time.Sleep(10 * time.Millisecond) {
		var state string
		if err := b.Evaluate(loading, &state); err == nil && state == "complete" {
			return nil
		}
		if time.Now().After(deadline) {
			return errors.New("the page does not finish loading")
		}
	}
}

// Evaluate evaluates a JavaScript expression on the page and stores its value in result, as json.Unmarshal does, unless
// result is nil.
func (b *Browser) Evaluate(expression string, result any) error {
	var answer struct {
		Result           struct{ Value json.RawMessage }
		ExceptionDetails *struct {
			Text      string
			Exception struct{ Description string }
		}
	}
	params := args{"expression": expression, "returnByValue": true, "awaitPromise": true}
	if err := b.call("Runtime.evaluate", params, &answer); err != nil {
		return err
	}
	switch e := answer.ExceptionDetails; {
	case e != nil:
		return fmt.Errorf("evaluate %s: %s %s", expression, e.Text, e.Exception.Description)
	case result == nil:
		return nil
	case answer.Result.Value == nil:
		return fmt.Errorf("evaluate %s: it has no value", expression)
	}
	return json.Unmarshal(answer.Result.Value, result)
}

// Press presses a key. The name is that of KeyboardEvent.key; text is what the key types, or "".
func (b *Browser) Press(key, text string) error {
	for _, kind := range []string{"keyDown", "keyUp"} {
		params := args{"type": kind, "key": key, "code": key}
		if text != "" && kind == "keyDown" {
			params["text"] = text
		}
		if key == "Tab" {
			params["windowsVirtualKeyCode"] = 9
		}
		if err := b.call("Input.dispatchKeyEvent", params, nil); err != nil {
			return err
		}
	}
	return nil
}

// Screenshot returns a picture of the whole page as PNG.
func (b *Browser) Screenshot() ([]byte, error) {
	var size struct {
		CSSContentSize struct{ Width, Height float64 }
	}
	if err := b.call("Page.getLayoutMetrics", nil, &size); err != nil {
		return nil, err
	}
	const tallest = 8000
	page := size.CSSContentSize
	clip := args{"x": 0, "y": 0, "width": page.Width, "height": min(page.Height, tallest), "scale": 1}
	params := args{"format": "png", "captureBeyondViewport": true, "clip": clip}
	var shot struct{ Data []byte }
	err := b.call("Page.captureScreenshot", params, &shot)
	return shot.Data, err
}
