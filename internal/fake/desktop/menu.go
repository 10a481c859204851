package desktop

import (
	"errors"
	"fmt"
	"strings"

	"github.com/godbus/dbus/v5"
)

// Node is one item of the menu, as the panel reads it. The root has no label.
type Node struct {
	ID        int32
	Label     string // as a person sees it: without mnemonic marks
	Enabled   bool
	Visible   bool
	Checkbox  bool
	Checked   bool // has a mark, as a Checkbox
	Separator bool
	Children  []Node
}

// wireNode is a Node as dbusmenu sends it.
type wireNode struct {
	ID       int32
	Props    map[string]dbus.Variant
	Children []dbus.Variant
}

// layout reads a whole menu.
func layout(conn *dbus.Conn, item string) (Node, error) {
	var revision uint32
	var w wireNode
	err := conn.Object(item, "/StatusNotifierItem/menu").
		Call(menuName+".GetLayout", 0, int32(0), int32(-1), []string{}).Store(&revision, &w)
	if err != nil {
		return Node{}, err
	}
	return w.node()
}

// node decodes w. Properties that are not sent have the values of the protocol.
func (w wireNode) node() (Node, error) {
	n := Node{ID: w.ID, Enabled: true, Visible: true}
	if s, ok := w.Props["label"].Value().(string); ok {
		n.Label = shown(s)
	}
	if b, ok := w.Props["enabled"].Value().(bool); ok {
		n.Enabled = b
	}
	if b, ok := w.Props["visible"].Value().(bool); ok {
		n.Visible = b
	}
	n.Checkbox = w.Props["toggle-type"].Value() == "checkmark"
	if state, ok := w.Props["toggle-state"].Value().(int32); ok {
		n.Checked = n.Checkbox && state == 1
	}
	n.Separator = w.Props["type"].Value() == "separator"
	for _, v := range w.Children {
		var child wireNode
		if err := dbus.Store([]any{v.Value()}, &child); err != nil {
			return n, fmt.Errorf("menu item below %d: %w", w.ID, err)
		}
		c, err := child.node()
		if err != nil {
			return n, err
		}
		n.Children = append(n.Children, c)
	}
	return n, nil
}

// shown is a label as a panel draws it: an underscore marks the letter after it,
// two stand for one.
func shown(label string) string {
	const two = "\x00"
	label = strings.ReplaceAll(label, "__", two)
	return strings.ReplaceAll(strings.ReplaceAll(label, "_", ""), two, "_")
}

// Find is the visible item that the labels lead to, level by level. A label may be
// the beginning of the item's. It is nil when there is none.
func (n *Node) Find(labels ...string) *Node {
	for i, c := range n.Children {
		if !c.Visible || c.Separator || !strings.HasPrefix(c.Label, labels[0]) {
			continue
		}
		if len(labels) == 1 {
			return &n.Children[i]
		}
		if found := c.Find(labels[1:]...); found != nil {
			return found
		}
	}
	return nil
}

// Lines is what a person sees with every submenu open: indented labels, disabled
// ones in brackets, checked ones behind a tick, separators as a dash.
func (n *Node) Lines() []string {
	var out []string
	for _, c := range n.Children {
		switch {
		case !c.Visible:
			continue
		case c.Separator:
			out = append(out, "-")
		case c.Enabled:
			out = append(out, c.Label)
		default:
			out = append(out, "("+c.Label+")")
		}
		if c.Checked {
			out[len(out)-1] = "✓ " + out[len(out)-1]
		}
		for _, l := range c.Lines() {
			out = append(out, "  "+l)
		}
	}
	return out
}

// Menu reads the menu of the icon as it is now.
func (d *Desktop) Menu() Node {
	d.t.Helper()
	n, err := d.readMenu()
	if err != nil {
		d.t.Fatalf("menu: %v", err)
	}
	return n
}

func (d *Desktop) readMenu() (Node, error) {
	d.mu.Lock()
	p := d.panel
	item := ""
	if p != nil {
		item = p.item
	}
	d.mu.Unlock()
	if item == "" {
		return Node{}, fmt.Errorf("there is no icon in the tray")
	}
	return layout(p.conn, item)
}

// AwaitMenu waits until the menu is as ok wants it, and returns it.
func (d *Desktop) AwaitMenu(what string, ok func(menu Node) bool) Node {
	d.t.Helper()
	var menu Node
	d.Await(what, func() bool {
		n, err := d.readMenu()
		menu = n
		return err == nil && ok(n)
	})
	return menu
}

// AwaitItem waits until the item that the labels lead to is there, and returns it.
func (d *Desktop) AwaitItem(labels ...string) Node {
	d.t.Helper()
	var found Node
	d.AwaitMenu("the menu item "+strings.Join(labels, " > "), func(menu Node) bool {
		n := menu.Find(labels...)
		if n != nil {
			found = *n
		}
		return n != nil
	})
	return found
}

// Click clicks the item that the labels lead to, which has to be there and enabled.
func (d *Desktop) Click(labels ...string) {
	d.t.Helper()
	menu := d.Menu()
	n := menu.Find(labels...)
	if n == nil || !n.Enabled {
		d.t.Fatalf("no enabled menu item %q in\n%s", labels, strings.Join(menu.Lines(), "\n"))
	}
	d.ClickItem(n.ID)
}

// ClickItem clicks an item by its id, whatever its state, as a panel does whose
// picture of the menu is old.
func (d *Desktop) ClickItem(id int32) {
	d.t.Helper()
	d.event(id, "clicked")
}

// OpenMenu tells the program that its menu has been opened.
func (d *Desktop) OpenMenu() {
	d.t.Helper()
	d.event(0, "opened")
}

func (d *Desktop) event(id int32, what string) {
	d.t.Helper()
	item, conn := d.item()
	if item == nil {
		d.t.Fatal("there is no icon in the tray")
	}
	call := conn.Object(item.Destination(), "/StatusNotifierItem/menu").
		Call(menuName+".Event", 0, id, what, dbus.MakeVariant(int32(0)), uint32(0))
	if call.Err != nil && !hungUp(call.Err) {
		d.t.Fatalf("%s on menu item %d: %v", what, id, call.Err)
	}
}

// hungUp reports whether the program left the bus before it answered, as it may
// when the click was on Quit. What became of it is for the test to ask.
func hungUp(err error) bool {
	var refusal dbus.Error
	return errors.As(err, &refusal) && refusal.Name == "org.freedesktop.DBus.Error.NoReply"
}
