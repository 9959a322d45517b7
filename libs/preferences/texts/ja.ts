import type { Words } from './words.js';

export const ja: Words = {
  subject: '{site}：ご確認のお願い',
  title: 'これらのメッセージを受け取りますか？',
  ask: '{site}に、次の内容のメッセージをあなたに送るよう依頼がありました。',
  channel: '連絡手段：{channel}',
  until: '確認された場合にのみ送信されます。{time}まで確認できます。何もしなければ、何も起こりません。',
  button: 'はい、受け取ります',
  open: '確認ページへ',
  mailFooter:
    'このアドレスが入力されたため、{site}から確認しています。お心当たりがない場合は、何もする必要はありません。',
  linkFooter: '{site}に依頼した覚えがない場合は、無視してください。',
  confirmed: {
    title: '確認しました',
    text: 'ありがとうございます。選択内容を保存しました。このページは閉じてかまいません。',
  },
  already: { title: 'すでに確認済みです', text: '以前に確認していただいています。これ以上の操作は必要ありません。' },
  expired: {
    title: 'このリンクは有効期限が切れています',
    text: '何も変更されていません。引き続きメッセージを希望される場合は、お申し込みになった場所で新しいリンクを請求してください。',
  },
  invalid: {
    title: 'このリンクは使えません',
    text: 'リンクが不完全か、新しいリンクに置き換えられています。最新のメッセージのリンクを開くか、新しいリンクを請求してください。',
  },
  failed: { title: '処理できませんでした', text: 'しばらくしてからもう一度お試しください。' },
  onward: '続ける',
  unsubscribeTitle: '配信を停止しますか？',
  unsubscribeAsk: '{site}から、次の内容のメッセージが届かなくなります。',
  unsubscribeFooter: 'ボタンを押すまでは何も変わりません。',
  unsubscribeButton: '配信を停止する',
  unsubscribed: { title: '配信を停止しました', text: 'これらのメッセージは今後届きません。' },
  imprint: '運営者情報',
  privacy: 'プライバシーポリシー',
  undo: '元に戻す',
  undoUntil: 'お間違えでしたか。{time}まで元に戻せます。',
  undone: { title: '元に戻しました', text: '確認は取り消されました。これらのメッセージは届きません。' },
  resubscribed: {
    title: '配信を再開しました',
    text: '配信停止を取り消しました。これらのメッセージはこれまでどおり届きます。',
  },
  changedSince: { title: 'その後、設定が変更されています', text: '元に戻していません。新しい設定が有効です。' },
  undoOver: { title: 'もう元に戻せません', text: '元に戻せるのは短い間だけです。何も変更されていません。' },
};
